import { type Account, SANDBOX_ACCOUNT } from '../registry/account.ts'
import type { SkippedAccounts } from './rules/asked-accounts.ts'
import type { Advice } from '../psp/breaker.ts'
import type { AnnounceOutcome } from '../psp/answer.ts'
import { gossip, listen } from '../weather/gossip.ts'
import { weather } from '../weather/place-weather.ts'

/** Whether a job is created, or announced again: for its customer, or by its alarm. */
export type Cause = 'create' | 'again'

/** An account of a route, and the payment method as its weather names it. */
export type Turn = { account: Account; method: string }

/**
 * The accounts of a route in the order in which they are asked: those that answered lately, then those in trouble. A `create` leaves
 * those out that do not answer. `skipped` are the ones in trouble.
 */
export function accountsInTurn(
  env: Env,
  route: readonly Turn[],
  cause: Cause,
  now: number,
): { turns: Turn[]; skipped: SkippedAccounts } {
  if (cause === 'create' && route.some(hasWeather)) listen(env, now)
  const looks = route.map((turn) => ({
    turn,
    ...(hasWeather(turn) ? weather.look(turn.account, turn.method, now) : FINE),
  }))
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
function hasWeather({ account }: Turn): boolean {
  return account.id !== SANDBOX_ACCOUNT.id
}

/** Begins to ask an account: how long (ms) it may take. `left` accounts share the time (ms) that is left. */
export function askFor(
  turn: Turn,
  began: number,
  { time, left, cause }: { time: number; left: number; cause: Cause },
): number {
  const share = Math.max(Math.floor(time / left), 1)
  if (!hasWeather(turn)) return share
  const wait = { isLast: left === 1, isHurried: cause === 'create' }
  return weather.begin(turn.account, turn.method, began, share, wait)
}

/** Remembers how it ended, and tells other places of a change. */
export function endAsking(env: Env, turn: Turn, began: number, answer: AnnounceOutcome): void {
  if (!hasWeather(turn)) return
  const retryAfter = answer.is === 'unavailable' ? answer.retryAfter : undefined
  const asked = {
    began,
    answered: answer.is !== 'unavailable',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
  const change = weather.end(turn.account, turn.method, asked, Date.now(), Math.random())
  if (change) gossip(env, change)
}
