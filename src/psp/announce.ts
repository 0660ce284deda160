import { log } from '../platform/log.ts'
import { withDeadline } from '../platform/deadline.ts'
import { type Account, SANDBOX_ACCOUNT } from '../registry/profile.ts'
import type { AnnounceAnswer, Way } from './answer.ts'
import { type Cause, patienceFor, rememberCall, turnsOf } from './breakers.ts'
import { connect, railOf } from './connect.ts'
import { DEADLINE } from './http-client.ts'
import type { PaymentRequest } from './port.ts'
import { bounded } from '../platform/bounded.ts'

/**
 * An announcement of an order at one account, and its answer. `asked`: when (ms) the hub sent it; `ms`:
 * how long the answer took. `not-asked`: the account's breaker has been open since `since` (ms), or the
 * hub is sending it too many orders.
 */
export type Attempt = {
  account: string
  asked: number
  ms: number
  answer: AnnounceAnswer | { is: 'not-asked'; since: number; tooMany?: true }
}

/** A job's order to announce. `requestAt` makes an account's request. `origin`: the hub's own address. */
export type OrderToAnnounce = {
  job: string
  pos: string
  origin: string
  way: Way['way']
  requestAt: (account: string) => PaymentRequest
}

/**
 * Announces an order at the accounts of a route, one after the other, until one answers. They share the
 * deadline of a PSP: each gets an equal part of the time that is left. A `create` skips accounts whose
 * breaker is open. Returns the attempts in the order of the route.
 */
export async function announceAtOne(
  env: Env,
  accounts: readonly [Account, ...Account[]],
  announced: OrderToAnnounce,
  cause: Cause,
): Promise<Attempt[]> {
  const end = Date.now() + DEADLINE
  const { turns, skipped } = await turnsOf(env, accounts, announced.pos, cause)
  const attempts: Attempt[] = skipped.map(({ account, since }) => ({
    account: account.id,
    asked: Date.now(),
    ms: 0,
    answer: { is: 'not-asked', since: Math.floor(since) },
  }))
  const place = (account: string) => accounts.findIndex(({ id }) => id === account)
  let last = accounts.length
  for (const [turn, account] of turns.entries()) {
    const began = Date.now()
    if (!mayAsk(account, announced)) {
      const answer = { is: 'not-asked', since: began, tooMany: true } as const
      attempts.push({ account: account.id, asked: began, ms: 0, answer })
      continue
    }
    const share = Math.max(Math.floor((end - began) / (turns.length - turn)), 1)
    const patience = cause === 'create' ? patienceFor(account, announced.pos, share) : share
    const answer = await announceAt(env, account, announced, patience)
    const ended = Date.now()
    attempts.push({ account: account.id, asked: began, ms: ended - began, answer })
    const isAnswered = answer.is !== 'unavailable'
    const retryAfter = isAnswered ? undefined : answer.retryAfter
    const { pos, job } = announced
    // A silent terminal says nothing about its account.
    if (announced.way === 'page')
      rememberCall(env, account, { pos, job, began, ended, answered: isAnswered, retryAfter })
    if (!isAnswered) continue
    last = place(account.id)
    break
  }
  return attempts
    .filter(({ account }) => place(account) <= last)
    .toSorted((one, other) => place(one.account) - place(other.account))
}

/** Returns whether the pace allows another order. The sandbox is part of the hub, and has no limit. */
function mayAsk({ id }: Account, { pos, job }: OrderToAnnounce): boolean {
  if (id === SANDBOX_ACCOUNT.id || pace.mayAsk(id, pos)) return true
  log.warn('psp.unavailable', {
    job,
    pos,
    account: id,
    message: 'The hub is sending it too many orders at once.',
  })
  return false
}

async function announceAt(
  env: Env,
  account: Account,
  { pos, origin, way, requestAt }: OrderToAnnounce,
  patience: number,
): Promise<AnnounceAnswer> {
  const psp = await connect(env, account, origin)
  const request = requestAt(account.id)
  const rail = railOf(psp, way)
  const answer = await withDeadline(patience, (deadline) => rail.announce(request, deadline))
  if (answer.is === 'unavailable') {
    const fields = { job: request.job, pos, account: account.id, message: answer.message }
    if (answer.accountRefused) log.error('psp.account-refused', fields)
    else log.warn('psp.unavailable', fields)
  }
  return answer
}

/** A window (ms), and the most orders that an account gets in it, from all shops and from one shop. */
const WINDOW = 10_000
const MOST = 400
const MOST_OF_A_SHOP = 200

/**
 * Limits the orders that this isolate sends to accounts. PSPs take about a hundred requests a second
 * (Stripe: 100 in live mode), and then answer 429 to all. So an account gets 40 a second, and at most
 * half of them from one shop, so that no shop uses up what the others need.
 */
export function paceOfIsolate() {
  const counts = bounded<{ count: number }>(WINDOW)

  function isBelow(name: string, most: number): boolean {
    const window = counts.get(name) ?? { count: 0 }
    if (window.count === 0) counts.set(name, window)
    window.count += 1
    return window.count <= most
  }

  return {
    /** Returns whether the hub may now announce another order of a shop at an account. */
    mayAsk: (account: string, pos: string): boolean =>
      isBelow(`${account} ${pos}`, MOST_OF_A_SHOP) && isBelow(account, MOST),
  }
}

export const pace = paceOfIsolate()
