import { type Account, SANDBOX_ACCOUNT } from '../domain/account.ts'
import type { AskedAccounts } from '../domain/asked-accounts.ts'
import type { Advice } from '../domain/breaker.ts'
import type { AnnounceAnswer } from '../domain/psp-answer.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { gossip } from '../weather/gossip.ts'
import { weather } from '../weather/place-weather.ts'

/** Whether a job is created, or announced again: for its customer, or by its alarm. */
export type Cause = 'create' | 'again'

/** An account of a route, and the payment method as its weather names it. */
export type Turn = { account: Account; method: string }

/**
 * The accounts of a route in the order in which they are asked: those that answered lately, then those in trouble. A `create` leaves
 * those out that do not answer. `skipped` are the ones in trouble.
 */
export const accountsInTurn = (
  accounts: readonly Account[],
  paymentMethod: string,
  cause: Cause,
  now: number,
): { turns: Turn[]; skipped: NonNullable<AskedAccounts['skipped']> } => {
  const looks = accounts.map((account) => {
    const method = methodOf(account, paymentMethod)
    const look = hasWeather(account) ? weather.look(account, method, now) : FINE
    return { turn: { account, method }, ...look }
  })
  const all = looks.filter(({ advice }) => cause === 'again' || advice !== 'avoid')
  const turns = all.toSorted((one, other) => RANK[one.advice] - RANK[other.advice])
  return {
    turns: turns.map(({ turn }) => turn),
    skipped: looks.flatMap(({ turn, advice, trouble }) =>
      trouble && advice !== 'try'
        ? [{ account: turn.account.id, why: trouble.why, since: Math.floor(trouble.since) }]
        : [],
    ),
  }
}

const RANK: Record<Advice, number> = { go: 0, try: 0, last: 1, avoid: 2 }
const FINE = { advice: 'go', trouble: null } as const

/** The sandbox is the hub's own, and has no weather. */
const hasWeather = ({ id }: Account): boolean => id !== SANDBOX_ACCOUNT.id

/** Names that a PSP does not have share one weather: shops may send any text. */
const methodOf = ({ psp }: Account, paymentMethod: string): string => {
  const name = paymentMethod.toLowerCase()
  const adapter = Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
  return adapter?.methods.has(name) ? name : '*'
}

/** Begins to ask an account: how long (ms) it may take. `left` accounts share the time (ms) that is left. */
export const askFor = (
  { account, method }: Turn,
  began: number,
  { time, left, cause }: { time: number; left: number; cause: Cause },
): number => {
  const share = Math.max(Math.floor(time / left), 1)
  if (!hasWeather(account)) return share
  return weather.begin(account, method, began, share, { isLast: left === 1, isHurried: cause === 'create' })
}

/** Remembers how it ended, and tells other places of a change. */
export const endAsking = (
  env: Env,
  { account, method }: Turn,
  began: number,
  answer: AnnounceAnswer,
): void => {
  if (!hasWeather(account)) return
  const retryAfter = answer.is === 'unavailable' ? answer.retryAfter : undefined
  const asked = {
    began,
    answered: answer.is !== 'unavailable',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
  const change = weather.end(account, method, asked, Date.now(), Math.random())
  if (change) gossip(env, change)
}
