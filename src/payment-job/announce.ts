import type { JobClock } from '../domain/job-clock.ts'
import type { Order } from '../domain/job.ts'
import type { AnnounceAnswer } from '../domain/psp-answer.ts'
import { log } from '../log.ts'
import { connect } from '../psp/connect.ts'
import { DEADLINE, within } from '../psp/deadline.ts'
import type { Account } from '../domain/account.ts'
import type { RefusedOrder } from '../psp/refusal.ts'
import { paymentRequestOf } from './payment-request.ts'

/**
 * What a PSP said to an announcement, and the account that it was made at. `unsure` are accounts that did not answer: each may
 * hold a payment all the same. `passedOver` are those that were tried in vain before this one.
 */
export type AnnouncedAt = {
  account: string
  answer: AnnounceAnswer
  unsure?: readonly string[]
  passedOver?: readonly string[]
}

/**
 * Announces an order at the first of its accounts that answers: one that is unavailable is passed over for the next.
 * All of it ends at the PSP's deadline, of which each account has an equal share of what is left. When none answers,
 * the first one's answer stands.
 */
export const announceAtOne = async (
  env: Env,
  [first, ...others]: readonly [Account, ...Account[]],
  job: { id: string; pos: string; fingerprint: string; origin: string; order: Order; clock?: JobClock },
): Promise<AnnouncedAt> => {
  const end = Date.now() + DEADLINE
  const announceAt = async (account: Account, share: number): Promise<AnnouncedAt> => {
    const psp = await connect(env, account, job.origin, job.clock)
    const payment = paymentRequestOf({ ...job, account: account.id })
    const time = Math.max(Math.floor((end - Date.now()) / share), 1)
    const answer = await within(time, (deadline) => psp.announce(payment, deadline))
    if (answer.is === 'unavailable') {
      const fields = { job: job.id, pos: job.pos, account: account.id, message: answer.message }
      if (answer.accountRefused) log.error('psp.account-refused', fields)
      else log.warn('psp.unavailable', fields)
    }
    return { account: account.id, answer: answer.is === 'refused' ? withReason(answer) : answer }
  }
  const tried = await announceAt(first, others.length + 1)
  const unsure = isUnsure(tried) ? [tried.account] : []
  const passedOver: string[] = []
  let last = tried
  for (const [place, account] of others.entries()) {
    if (last.answer.is !== 'unavailable') break
    passedOver.push(last.account)
    last = await announceAt(account, others.length - place)
    if (isUnsure(last)) unsure.push(account.id)
  }
  return { ...(last.answer.is === 'unavailable' ? tried : last), unsure, passedOver }
}

/** Whether an account may have taken the order although it did not say so. One that refused the account has not. */
const isUnsure = ({ answer }: AnnouncedAt): boolean => answer.is === 'unavailable' && !answer.accountRefused

/** The job's `error` begins with a reason that a shop's program can read. The PSP's own words follow. */
const withReason = ({ reason, message }: RefusedOrder): AnnounceAnswer => ({
  is: 'refused',
  message: `${reason}: ${message}`,
})
