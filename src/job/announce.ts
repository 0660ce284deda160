import { DAY } from '../contract/timestamp.ts'
import type { Order } from '../contract/order.ts'
import { log } from '../platform/log.ts'
import { withDeadline } from '../platform/deadline.ts'
import type { AnnounceAnswer } from '../psp/answer.ts'
import { type Cause, breakers } from '../psp/breakers.ts'
import { connect } from '../psp/connect.ts'
import { DEADLINE } from '../psp/http-client.ts'
import type { Account } from '../registry/profile.ts'
import type { FactOf } from './core/facts.ts'
import type { PaymentRequest } from '../psp/port.ts'

type Attempt = FactOf<'attempted'>
type Announced = { id: string; link: string; pos: string; fingerprint: string; origin: string; order: Order }

/**
 * Asks the accounts of a route to take an order, one after the other, until one answers. All of
 * them share the PSP's deadline: each gets an equal part of what is left. A `create` does not ask
 * an account whose breaker is open. Returns what came of each account, in the order of the route.
 */
export async function announceAtOne(
  env: Env,
  accounts: readonly [Account, ...Account[]],
  job: Announced,
  cause: Cause,
): Promise<Attempt[]> {
  const end = Date.now() + DEADLINE
  const { turns, skipped } = await breakers.turns(env, accounts, cause)
  const tried: Attempt[] = []
  for (const [place, account] of turns.entries()) {
    const began = Date.now()
    const share = Math.max(Math.floor((end - began) / (turns.length - place)), 1)
    const attempt = await announceAt(env, account, job, breakers.waitFor(account, share, cause))
    tried.push(attempt)
    breakers.record(env, account, { began, ended: Date.now(), ...answeredIn(attempt) })
    if (attempt.outcome.is !== 'no-answer') break
  }
  const notAsked = skipped.map(({ account, since }): Attempt => ({
    is: 'attempted',
    account,
    asked: Date.now(),
    ms: 0,
    outcome: { is: 'not-asked', since },
  }))
  const place = ({ account }: Attempt) => accounts.findIndex(({ id }) => id === account)
  const last = tried.at(-1)
  const isTaken = last && last.outcome.is !== 'no-answer'
  return [...tried, ...notAsked]
    .filter((attempt) => !isTaken || place(attempt) <= place(last))
    .toSorted((one, other) => place(one) - place(other))
}

/**
 * Reads which accounts other isolates found not to answer, so that announcing need not wait for
 * that.
 */
export function readHints(env: Env, accounts: readonly Account[]): Promise<void> {
  return breakers.readHints(env, accounts)
}

async function announceAt(env: Env, account: Account, job: Announced, patience: number): Promise<Attempt> {
  const began = Date.now()
  const psp = await connect(env, account, job.origin)
  const payment = paymentRequestOf({ ...job, account: account.id })
  const answer = await withDeadline(patience, (deadline) => psp.announce(payment, deadline))
  if (answer.is === 'unavailable') {
    const fields = { job: job.id, pos: job.pos, account: account.id, message: answer.message }
    if (answer.accountRefused) log.error('psp.account-refused', fields)
    else log.warn('psp.unavailable', fields)
  }
  return attemptOf(account.id, began, answer)
}

/** What an account made of the order, as a fact. `began` is when (ms) it was asked. */
export function attemptOf(account: string, began: number, answer: AnnounceAnswer): Attempt {
  const ms = Math.max(Date.now() - began, 0)
  return { is: 'attempted', account, asked: began, ms, outcome: outcomeOf(answer, began) }
}

function outcomeOf(answer: AnnounceAnswer, began: number): Attempt['outcome'] {
  switch (answer.is) {
    case 'announced': {
      const { reference, checkoutUrl, expiresAt } = answer
      return { is: 'took', reference, checkoutUrl, expiresAt }
    }
    case 'refused':
      // The job's `error` begins with a reason that a shop's program can read. The PSP's own words
      // follow.
      return { is: 'refused', message: `${answer.reason}: ${answer.message}` }
    case 'unavailable': {
      const { message, accountRefused, retryAfter } = answer
      return {
        is: 'no-answer',
        message,
        ...(accountRefused ? { accountRefused } : {}),
        ...(retryAfter === undefined ? {} : { notBefore: began + Math.min(retryAfter * 1000, DAY) }),
      }
    }
  }
}

function answeredIn({ outcome }: Attempt) {
  if (outcome.is !== 'no-answer') return { answered: true }
  const retryAfter =
    outcome.notBefore === undefined ? undefined : Math.ceil((outcome.notBefore - Date.now()) / 1000)
  return { answered: false, retryAfter }
}

/**
 * The order as it is announced at a PSP, with the addresses of the hub that the PSP sends customer
 * and word to.
 */
export function paymentRequestOf(job: {
  id: string
  link: string
  fingerprint: string
  origin: string
  account: string
  order: Order
}): PaymentRequest {
  return {
    job: job.id,
    fingerprint: job.fingerprint,
    currency: job.order.currency,
    amount: job.order.amount,
    description: job.order.orderNumber,
    paymentMethod: job.order.paymentMethod,
    language: job.order.language,
    ipAddress: job.order.ipAddress,
    returnUrl: `${job.origin}/return/${job.link}`,
    cancelUrl: `${job.origin}/return/${job.link}?cancelled=1`,
    notificationUrl: `${job.origin}/notifications/${job.account}/${job.link}`,
  }
}
