import { MINUTE } from '../contract/timestamp.ts'

const SECOND = 1000

/**
 * What an isolate knows of an account at a PSP: whether it answers. The breaker opens when the
 * account stops answering, and nobody waits for the account while it is open. A breaker is a hint:
 * losing it costs one wait, and a wrong one costs an order a few minutes. All times are in
 * milliseconds.
 */
export type Breaker = {
  /** Set while the breaker is open: since when, and until when nobody asks the account. */
  open: { since: number; until: number } | null
  /** How often the breaker opened lately: each time doubles the pause. */
  level: number
  /** Faults in a row. */
  faults: number
  answeredAt: number
  /** Since when the account answers every time. */
  calmSince: number
}

/** A call to an account that ended. A refusal of the order is an answer. */
export type Call = {
  began: number
  ended: number
  answered: boolean
  /** Seconds for which the PSP asked to be left alone. */
  retryAfter?: number | undefined
}

/**
 * What isolates tell one another. `until` is null once a check was answered: payments then wait
 * only a short time.
 */
export type Hint = { since: number; until: number | null; level: number }

/** A fault that comes sooner costs a payment no wait: only several in a row open the breaker. */
const QUICK = SECOND
const QUICK_FAULTS = 3

const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = 2 * MINUTE
/** From this level on a pause is the longest. */
const HIGHEST_LEVEL = 6
/** After this time without a fault the account counts as well again. */
const CALM = MINUTE
/** An open breaker that nobody has checked for this long after its pause tells nothing any more. */
const FORGOTTEN_AFTER = 5 * MINUTE
/** How long a payment waits for an account that was in trouble lately. */
const SHORT_WAIT = 2.5 * SECOND

export const CLOSED: Breaker = { open: null, level: 0, faults: 0, answeredAt: 0, calmSince: 0 }

/** Takes in how a call ended. `random`, from 0 to 1, spreads isolates that see the same outage. */
export function afterCall(breaker: Breaker, call: Call, random: number): Breaker {
  return call.answered ? afterAnswer(breaker, call) : afterFault(breaker, call, random)
}

function afterAnswer(breaker: Breaker, { ended }: Call): Breaker {
  const isCalm = breaker.open === null && ended - breaker.calmSince >= CALM
  return {
    open: null,
    level: isCalm ? 0 : breaker.level,
    faults: 0,
    answeredAt: ended,
    calmSince: breaker.open === null && breaker.faults === 0 ? breaker.calmSince : ended,
  }
}

function afterFault(breaker: Breaker, call: Call, random: number): Breaker {
  const { began, ended, retryAfter } = call
  const faults = breaker.faults + 1
  const seen = { ...breaker, faults, calmSince: ended }
  // The call began in the same outage: it tells nothing new.
  if (breaker.open && began < breaker.open.until) return seen
  const costsWait = ended - began >= QUICK
  // An answer to another payment in the meantime: only this one was unlucky.
  const isAlone = breaker.answeredAt > began
  const opens = retryAfter !== undefined || (costsWait && !isAlone) || faults >= QUICK_FAULTS
  return opens ? opened(seen, ended, retryAfter, random) : seen
}

function opened(breaker: Breaker, now: number, retryAfter = 0, random: number): Breaker {
  const level = Math.min(breaker.level + 1, HIGHEST_LEVEL)
  const grown = Math.min(FIRST_PAUSE * 2 ** (level - 1), LONGEST_PAUSE) * (0.8 + 0.4 * random)
  const pause = Math.max(grown, Math.min(retryAfter * SECOND, LONGEST_PAUSE))
  return { ...breaker, level, open: { since: breaker.open?.since ?? now, until: now + pause } }
}

/**
 * Closes the breaker after the PSP answered a check: the next payments find out, with short waits.
 */
export function afterCheck(breaker: Breaker, answered: boolean, now: number, random: number): Breaker {
  if (breaker.open === null) return breaker
  return answered
    ? { ...breaker, open: null, faults: 0, answeredAt: now, calmSince: now }
    : opened(breaker, now, 0, random)
}

/**
 * Takes in what another isolate saw, unless the account answered here since. A hint counts for as
 * long as KV keeps it: once its pause is over, payments still do not wait, and the next one has the
 * account checked at once.
 */
export function afterHint(breaker: Breaker, { since, until, level }: Hint): Breaker {
  if (breaker.open || breaker.answeredAt >= since) return breaker
  const open = until === null ? null : { since, until }
  return { ...breaker, level: Math.max(breaker.level, level), open }
}

/**
 * Closes a breaker that opened long ago, for lack of payments that had it checked: whoever comes
 * now finds out, with a short wait.
 */
export function afterLull(breaker: Breaker, now: number): Breaker {
  const isForgotten = breaker.open !== null && now >= breaker.open.until + FORGOTTEN_AFTER
  return isForgotten ? { ...breaker, open: null, faults: 0, calmSince: now } : breaker
}

/** How long a payment waits for the account, of the time that is its share. */
export function waitFor({ level }: Breaker, share: number): number {
  return level > 0 ? Math.min(share, SHORT_WAIT) : share
}
