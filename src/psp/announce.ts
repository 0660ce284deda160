import { log } from '../platform/log.ts'
import { withDeadline } from '../platform/deadline.ts'
import type { Account } from '../registry/profile.ts'
import { reportRefused } from './health/account-refused.ts'
import type { AnnounceAnswer, Way } from './answer.ts'
import { type Cause, patienceFor, rememberCall, turnsOf } from './health/breakers.ts'
import { connect, railOf } from './connect.ts'
import { DEADLINE, HELD_BACK } from './http-client.ts'
import type { PaymentRequest } from './port.ts'

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
    const share = Math.max(Math.floor((end - began) / (turns.length - turn)), 1)
    const patience = cause === 'create' ? patienceFor(account, announced.pos, share) : share
    const answer = await announceAt(env, account, announced, patience)
    const ended = Date.now()
    attempts.push({ account: account.id, asked: began, ms: ended - began, answer })
    if (answer.is === 'not-asked') continue
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

async function announceAt(
  env: Env,
  account: Account,
  { pos, origin, way, requestAt }: OrderToAnnounce,
  patience: number,
): Promise<Attempt['answer']> {
  const psp = await connect(env, account, origin, pos)
  const request = requestAt(account.id)
  const rail = railOf(psp, way)
  const answer = await withDeadline(patience, (deadline) => rail.announce(request, deadline))
  if (answer.is === 'unavailable') {
    const fields = { job: request.job, pos, account: account.id, message: answer.message }
    if (answer.accountRefused) reportRefused(env, way, fields)
    else log.warn('psp.unavailable', fields)
    if (answer.message === HELD_BACK.message) return { is: 'not-asked', since: Date.now(), tooMany: true }
  }
  return answer
}
