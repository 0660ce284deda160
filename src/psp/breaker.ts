import { MINUTE } from '../contract/timestamp.ts'

const SECOND = 1000

/**
 * What one place has seen lately of an account and a payment method, and what it makes of that. A breaker is a hint: losing it costs
 * one wait, and a wrong one refuses nothing. All times are in milliseconds.
 */
export type Breaker = {
  state: Closed | Open
  /** How often it has opened lately, or a trial has failed: what it waits for grows with it. */
  level: number
  /** Since when nothing was wrong. */
  calmSince: number
  /** The newest calls, the newest last. */
  recent: readonly Call[]
  /** About 19 of 20 answers are quicker. It follows what is usual; null before the first answer. */
  usual: number | null
  answeredAt: number | null
  faultAt: number | null
}

type Closed = { is: 'closed' }
/** From `until` on one real payment at a time tries. `trial` is when that began, `good` how many in a row were answered. */
type Open = { is: 'open'; why: Trouble; since: number; until: number; good: number; trial: number | null }
export type Trouble = 'silent' | 'slow'

type Call = { at: number; was: 'well' | 'slow' | 'fault' }

/** One call to an account that has ended now. A refusal of the order is an answer. `retryAfter` is in seconds. */
export type Asked = { began: number; answered: boolean; retryAfter?: number }

const MOST_CALLS = 20
const REMEMBERED = 5 * MINUTE
/** A fault that came sooner costs a payment nothing: one alone opens no breaker. */
const QUICK = SECOND
const QUICK_FAULTS = 3
/** What keeps a breaker closed while only few calls fail. */
const ENOUGH_CALLS = 10
const FAULTY_SHARE = 0.3
/** An answer is slow from here on, whatever is usual. */
const SLOW_FLOOR = 2 * SECOND
const SLOW_TIMES_USUAL = 3
const SLOW_CALLS = 5
const FIRST_USUAL = SECOND

const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = 2 * MINUTE
const HIGHEST_LEVEL = 6
const MOST_GOOD = 5
/** How long nothing must be wrong for one level less. */
const CALM = MINUTE
/** A trial that has not ended by then is lost with its invocation. */
const LONGEST_TRIAL = 10 * SECOND

export function newBreaker(now: number): Breaker {
  return {
    state: { is: 'closed' },
    level: 0,
    calmSince: now,
    recent: [],
    usual: null,
    answeredAt: null,
    faultAt: null,
  }
}

/** What a payment may do: `go` as ever, `try` as the one real payment that finds out, `last` after others, or `avoid` it. */
export type Advice = 'go' | 'try' | 'last' | 'avoid'

export function adviceOf({ state }: Breaker, now: number): Advice {
  if (state.is === 'closed') return 'go'
  const isTried = state.trial !== null && now < state.trial + LONGEST_TRIAL
  if (now >= state.until && !isTried) return 'try'
  return state.why === 'slow' ? 'last' : 'avoid'
}

/** A payment begins to find out: no other does meanwhile. */
export function beginTrial(breaker: Breaker, now: number): Breaker {
  return breaker.state.is === 'open' ? { ...breaker, state: { ...breaker.state, trial: now } } : breaker
}

/** Others have seen it well again: it may be tried at once. */
export function tryNow(breaker: Breaker, now: number): Breaker {
  return breaker.state.is === 'open' && breaker.state.until > now
    ? { ...breaker, state: { ...breaker.state, until: now } }
    : breaker
}

/** Takes in how a call ended. `random` is between 0 and 1, and spreads the places that see the same. */
export function observe(breaker: Breaker, asked: Asked, now: number, random: number): Breaker {
  const took = now - asked.began
  const was = !asked.answered ? 'fault' : took > slowFrom(breaker) ? 'slow' : 'well'
  const recent = [...breaker.recent.filter(({ at }) => now < at + REMEMBERED), { at: now, was } as const]
  const seen: Breaker = {
    ...breaker,
    recent: recent.slice(-MOST_CALLS),
    usual: asked.answered ? usualAfter(breaker, took, was === 'slow') : breaker.usual,
    answeredAt: asked.answered ? now : breaker.answeredAt,
    faultAt: asked.answered ? breaker.faultAt : now,
  }
  const { state } = breaker
  if (state.is === 'open') return whileOpen(seen, state, asked, was, now, random)
  const trouble = troubleOf(seen, breaker, asked, took, was)
  return trouble ? open(seen, trouble, now, now, asked, random) : calmer(seen, was, now)
}

/** Calls that began before the breaker opened tell of the time before. */
function whileOpen(
  seen: Breaker,
  state: Open,
  asked: Asked,
  was: Call['was'],
  now: number,
  random: number,
): Breaker {
  if (asked.began < state.since) return seen
  const isWell = was === 'well' || (was === 'slow' && state.why === 'silent')
  if (isWell) {
    const good = state.good + 1
    return good >= Math.min(seen.level, MOST_GOOD)
      ? { ...seen, state: { is: 'closed' }, recent: [], calmSince: now }
      : { ...seen, state: { ...state, good, trial: null, until: Math.min(state.until, now) } }
  }
  // A customer's visit asks whatever the weather: it brings no trial nearer, and puts none off.
  if (now < state.until) return seen
  return open(seen, was === 'fault' ? 'silent' : state.why, state.since, now, asked, random)
}

function troubleOf(
  seen: Breaker,
  before: Breaker,
  { began, retryAfter }: Asked,
  took: number,
  was: Call['was'],
): Trouble | null {
  const count = (wanted: Call['was']): number => seen.recent.filter((call) => call.was === wanted).length
  if (was === 'slow') return count('slow') >= SLOW_CALLS ? 'slow' : null
  if (was === 'well') return null
  const answersOthers = before.answeredAt !== null && before.answeredAt > began
  const inARow = seen.recent.slice(-QUICK_FAULTS)
  const isRow = inARow.length === QUICK_FAULTS && inARow.every((call) => call.was === 'fault')
  const isMany = seen.recent.length >= ENOUGH_CALLS && count('fault') >= seen.recent.length * FAULTY_SHARE
  return retryAfter !== undefined || (took >= QUICK && !answersOthers) || isRow || isMany ? 'silent' : null
}

function open(
  seen: Breaker,
  why: Trouble,
  since: number,
  now: number,
  { retryAfter = 0 }: Asked,
  random: number,
): Breaker {
  const level = Math.min(seen.level + 1, HIGHEST_LEVEL)
  const grown = Math.min(FIRST_PAUSE * 2 ** (level - 1), LONGEST_PAUSE)
  const pause = Math.max(grown * (0.8 + 0.4 * random), Math.min(retryAfter * SECOND, LONGEST_PAUSE))
  const state: Open = { is: 'open', why, since, until: now + pause, good: 0, trial: null }
  return { ...seen, level, state, calmSince: now }
}

/** A level less for each minute of answers without a fault. */
function calmer(seen: Breaker, was: Call['was'], now: number): Breaker {
  if (was !== 'well') return { ...seen, calmSince: now }
  if (seen.level === 0 || now < seen.calmSince + CALM) return seen
  return { ...seen, level: seen.level - 1, calmSince: now }
}

function slowFrom({ usual }: Breaker): number {
  return Math.max(SLOW_FLOOR, (usual ?? FIRST_USUAL) * SLOW_TIMES_USUAL)
}

/** One step up for an answer that took longer, a 19th of it down for the others: so 19 of 20 are quicker. */
function usualAfter({ usual, state }: Breaker, took: number, isSlow: boolean): number {
  if (usual === null) return Math.min(Math.max(took, 50), FIRST_USUAL)
  if (took <= usual) return Math.max(usual * (1 - 0.1 / 19), 50)
  // What is slow for good becomes usual, so that a breaker does not stay open for ever.
  return usual * (isSlow && state.is === 'open' ? 1.05 : 1.1)
}

/** How long (ms) a payment that has another account to go to waits for this one: not all its share, where quicker is usual. */
export function patienceWith({ usual }: Breaker, share: number): number {
  return usual === null ? share : Math.min(share, Math.max(2.5 * SECOND, usual * 6))
}

/** How long (ms) one waits that finds out whether the account answers again. */
export function patienceOfTrial({ usual }: Breaker, share: number): number {
  return Math.min(share, Math.max(2.5 * SECOND, (usual ?? 0) * 2))
}
