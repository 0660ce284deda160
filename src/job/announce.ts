import type { Account } from '../registry/profile.ts'
import type { AskedAccounts, SkippedAccounts } from './rules/asked-accounts.ts'
import type { Order } from '../contract/order.ts'
import type { Unavailable, AnnounceOutcome, RefusedOrder } from '../psp/answer.ts'
import { log } from '../platform/log.ts'
import { type Cause, breakers } from '../psp/breakers.ts'
import { connect } from '../psp/connect.ts'
import { withDeadline } from '../platform/deadline.ts'
import { DEADLINE } from '../psp/http-client.ts'
import { paymentRequestOf } from './payment-request.ts'

/**
 * What a PSP said to an announcement, and the account that it was made at. `unsure` are accounts that did not answer: each may
 * hold a payment all the same. `passedOver` are those that were tried in vain before this one. `asked` says how it went.
 */
export type AnnouncedAt = {
  account: string
  answer: AnnounceOutcome
  unsure?: readonly string[]
  passedOver?: readonly string[]
  asked?: AskedAccounts
}

/**
 * Announces an order at the first of its accounts that answers: one that is unavailable is passed over
 * for the next. All of it ends at the PSP's deadline, of which each account has an equal share of
 * what is left. When none answers, the first one's answer stands. A `create` does not ask an account
 * whose breaker is open.
 */
export async function announceAtOne(
  env: Env,
  accounts: readonly [Account, ...Account[]],
  job: { id: string; pos: string; fingerprint: string; origin: string; order: Order },
  cause: Cause,
): Promise<AnnouncedAt> {
  const end = Date.now() + DEADLINE
  const { turns, skipped } = await breakers.turns(env, accounts, cause)
  const tried: AnnouncedAt[] = []
  for (const [place, account] of turns.entries()) {
    const began = Date.now()
    const share = Math.max(Math.floor((end - began) / (turns.length - place)), 1)
    const at = await announceAt(env, account, job, breakers.waitFor(account, share, cause))
    tried.push(at)
    breakers.record(env, account, { began, ended: Date.now(), ...answeredIn(at.answer) })
    if (at.answer.is === 'unavailable') continue
    const others = tried.slice(0, -1)
    const asked = missed(others, skipped, accounts, account)
    return { ...at, unsure: unsureOf(others), passedOver: others.map((other) => other.account), asked }
  }
  // The account that stands first in the route keeps the job, as if it alone had been asked.
  const first = tried[0] ?? { account: accounts[0].id, answer: notAsked(skipped) }
  const passedOver = tried.slice(0, -1).map(({ account }) => account)
  return { ...first, unsure: unsureOf(tried), passedOver, asked: missed(tried, skipped, accounts, null) }
}

/** Reads which accounts other isolates found not to answer, so that announcing need not wait for that. */
export function readHints(env: Env, accounts: readonly Account[]): Promise<void> {
  return breakers.readHints(env, accounts)
}

async function announceAt(
  env: Env,
  account: Account,
  job: Parameters<typeof announceAtOne>[2],
  patience: number,
): Promise<AnnouncedAt> {
  const psp = await connect(env, account, job.origin)
  const payment = paymentRequestOf({ ...job, account: account.id })
  const answer = await withDeadline(patience, (deadline) => psp.announce(payment, deadline))
  if (answer.is === 'unavailable') {
    const fields = { job: job.id, pos: job.pos, account: account.id, message: answer.message }
    if (answer.accountRefused) log.error('psp.account-refused', fields)
    else log.warn('psp.unavailable', fields)
  }
  return { account: account.id, answer: answer.is === 'refused' ? withReason(answer) : answer }
}

function answeredIn(answer: AnnounceOutcome) {
  return answer.is === 'unavailable' ? { answered: false, retryAfter: answer.retryAfter } : { answered: true }
}

/** Accounts that may have taken the order although they did not say so. One that refused the account has not. */
function unsureOf(tried: readonly AnnouncedAt[]): string[] {
  return tried.flatMap(({ account, answer }) =>
    answer.is === 'unavailable' && !answer.accountRefused ? [account] : [],
  )
}

/** What kept the order from accounts before the one that took it (null for none). Nothing, as a rule. */
function missed(
  tried: readonly AnnouncedAt[],
  skipped: SkippedAccounts,
  accounts: readonly Account[],
  taker: Account | null,
): AskedAccounts {
  const silent = tried.map(({ account }) => account)
  const before = taker ? accounts.slice(0, accounts.indexOf(taker)) : accounts
  const left = skipped.filter(
    ({ account }) => !silent.includes(account) && before.some(({ id }) => id === account),
  )
  return { ...(silent.length > 0 ? { silent } : {}), ...(left.length > 0 ? { skipped: left } : {}) }
}

function notAsked([first]: SkippedAccounts): Unavailable {
  return {
    is: 'unavailable',
    message: `The payment service provider was not asked: it has not answered since ${new Date(first?.since ?? 0).toISOString().slice(0, 19)}Z.`,
  }
}

/** The job's `error` begins with a reason that a shop's program can read. The PSP's own words follow. */
function withReason({ reason, message }: RefusedOrder): AnnounceOutcome {
  return {
    is: 'refused',
    message: `${reason}: ${message}`,
  }
}
