import * as v from 'valibot'
import { MINUTE } from '../../contract/timestamp.ts'

const SECOND = 1000

/**
 * An isolate's breaker of an account at a PSP. It opens when the account stops answering; while it is
 * open, no payment waits for the account. One shop's unusual orders may be slow by themselves, so faults
 * of one shop open it only for that shop. A breaker is a hint: a lost one costs one wait, and a wrong
 * one delays an order by a few minutes. All times are in milliseconds.
 */
export type Breaker = {
  /** While the breaker is open: since when, and until when the hub does not ask the account. */
  open: { since: number; until: number } | null
  /** The shop that met every fault since the last answer; null for several shops. */
  by: string | null
  /** How often the breaker has opened lately. Each time doubles the pause. */
  level: number
  /** The number of jobs in a row that met a fault. */
  faults: number
  /** The last job that met a fault. */
  job: string
  faultAt: number
  answeredAt: number
}

/** A finished call to an account for a shop's job. A refusal of the order counts as an answer. */
export type Call = {
  pos: string
  job: string
  began: number
  ended: number
  answered: boolean
  /** For how many seconds the PSP wants no request. */
  retryAfter?: number | undefined
}

/**
 * A message between isolates, in KV. `until` is null once the account has answered a check: payments
 * then wait for it only a short time.
 */
export const Hint = v.object({
  since: v.number(),
  until: v.nullable(v.number()),
  level: v.number(),
  by: v.optional(v.nullable(v.string()), null),
})
export type Hint = v.InferOutput<typeof Hint>

/** A fault within this time costs a payment no wait, so only several in a row open the breaker. */
const QUICK = SECOND
const QUICK_FAULTS = 3

const FIRST_PAUSE = 5 * SECOND
const LONGEST_PAUSE = 2 * MINUTE
/** From this level on the pause is the longest one. */
const HIGHEST_LEVEL = 6
/** After this time without a fault the level falls to 0. */
const CALM = MINUTE
/** The hub ignores an open breaker that no request has checked for this long after its pause. */
const FORGOTTEN_AFTER = 5 * MINUTE
/** How long a payment waits for an account that was in trouble lately. */
const SHORT_WAIT = 2.5 * SECOND

export const CLOSED: Breaker = {
  open: null,
  by: null,
  level: 0,
  faults: 0,
  job: '',
  faultAt: 0,
  answeredAt: 0,
}

/** Returns since when the breaker has been open for a shop, or null if it is closed. */
export function openFor({ open, by }: Breaker, pos: string, now: number): { since: number } | null {
  return open && !isForgotten(open, now) && (by === null || by === pos) ? open : null
}

function isForgotten({ until }: { until: number }, now: number): boolean {
  return now >= until + FORGOTTEN_AFTER
}

/** Returns how long a shop's payment waits for the account: at most its share of the time. */
export function waitFor({ level, by }: Breaker, pos: string, share: number): number {
  return level > 0 && (by === null || by === pos) ? Math.min(share, SHORT_WAIT) : share
}

/** Returns the breaker after a call. `random`, from 0 to 1, spreads isolates that see the same outage. */
export function afterCall(breaker: Breaker, call: Call, random: number): Breaker {
  const { pos, job, began, ended, retryAfter } = call
  if (call.answered) {
    const level = ended - breaker.faultAt >= CALM ? 0 : breaker.level
    return { ...breaker, open: null, level, faults: 0, answeredAt: ended }
  }
  const isFirst = breaker.open ? isForgotten(breaker.open, began) : breaker.faults === 0
  const faults = !isFirst && job === breaker.job ? breaker.faults : breaker.faults + 1
  const by = isFirst || breaker.by === pos ? pos : null
  const seen = { ...breaker, by, faults, job, faultAt: ended }
  // A call that began before the end of the pause belongs to the same outage. Only its shop may be news.
  if (breaker.open && began < breaker.open.until) return seen
  const costsWait = ended - began >= QUICK
  // Another payment got an answer in the meantime, so only this one was unlucky.
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
 * Closes the breaker if the PSP answered a check: the next payments try it, with short waits. Without an
 * answer, opens it for every shop, because a check is not an order of a shop.
 */
export function afterCheck(breaker: Breaker, answered: boolean, now: number, random: number): Breaker {
  if (breaker.open === null) return breaker
  return answered
    ? { ...breaker, open: null, faults: 0, answeredAt: now, faultAt: now }
    : opened({ ...breaker, by: null }, now, 0, random)
}

/**
 * Applies another isolate's hint, unless the account has answered here since. A hint counts as long as
 * KV keeps it: after its pause payments still do not wait, and the next one makes the hub check the
 * account.
 */
export function afterHint(breaker: Breaker, { since, until, level, by }: Hint): Breaker {
  if (breaker.answeredAt >= since) return breaker
  if (breaker.open) return breaker.by === by ? breaker : { ...breaker, by: null }
  const open = until === null ? null : { since, until }
  return { ...breaker, by, level: Math.max(breaker.level, level), open }
}
