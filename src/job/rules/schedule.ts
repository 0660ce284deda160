import type { Unavailable } from '../../psp/answer.ts'
import { DAY, HOUR, MINUTE } from '../../contract/timestamp.ts'

const PULL_AFTER = [1, 3, 10, 30, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)
const ANNOUNCE_AGAIN_AFTER = [10_000, 30_000, MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]
const REPORT_AGAIN_AFTER = [
  5_000,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** How long a job lives whose PSP names no end of its own. */
export const DEFAULT_LIFE = DAY
/** A PSP needs some time to mark what has just expired; the last pull waits for it. */
export const EXPIRY_GRACE = MINUTE
/** How long past its end a job waits for a PSP that does not answer its last pull. */
export const LAST_PULL_PATIENCE = 3 * DAY
const LAST_PULL_AGAIN_AFTER = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]

/** Varies a delay by a tenth to either side, so that what failed at one time is not repeated at one time. */
function jittered(delay: number, random: number): number {
  return Math.round(delay * (0.9 + 0.2 * random))
}

/** A planned pull that is nearer than this (ms) counts as made: clocks are a little off. */
const PULL_IS_MADE = 30_000

/**
 * When (ms) the status is pulled next: at the first of the ages that still lie ahead, then daily. It follows from the
 * job's age alone, so that no count of pulls has to be stored. `random` is in [0, 1).
 */
export function nextPullAt(createdAt: number, now: number, random: number): number {
  const after = PULL_AFTER.find((age) => createdAt + jittered(age, 0) > now + PULL_IS_MADE)
  return after === undefined ? now + jittered(DAY, random) : createdAt + jittered(after, random)
}

/** When (ms) to repeat the last pull after `tries` of it, at the latest when patience ends. */
export function nextLastPullAt(expiresAt: number, tries: number, now: number, random: number): number {
  const again = now + jittered(LAST_PULL_AGAIN_AFTER[tries - 1] ?? 12 * HOUR, random)
  return Math.min(again, Math.max(expiresAt + LAST_PULL_PATIENCE, now + MINUTE))
}

/** When (ms) an announcement is repeated after `tries` that got no answer. */
export function nextAnnounceAt(tries: number, now: number, random: number): number {
  return now + jittered(ANNOUNCE_AGAIN_AFTER[tries - 1] ?? HOUR, random)
}

/** When (ms) a report is tried again after `tries` failures, or null when three days of trying are over. */
export function nextReportAt(tries: number, now: number, random: number): number | null {
  const after = REPORT_AGAIN_AFTER[tries - 1]
  return after === undefined ? null : now + jittered(after, random)
}

/** After a minute, then more and more seldom, and daily in the end. */
const CHECKS_AFTER = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]

/** When (ms) to ask again what became of a refund after `checks` of it. */
export function nextRefundCheckAt(checks: number, now: number, random: number): number {
  return now + jittered(CHECKS_AFTER[checks] ?? DAY, random)
}

/** When (ms) to look again at an account that may hold a payment beside the job's own, after `tries` looks. */
export function nextOtherLookAt(tries: number, now: number, random: number): number {
  return now + jittered(CHECKS_AFTER[tries] ?? DAY, random)
}

/** How long the queue may hold a message before it counts as lost: half a minute, doubled each time, at most an hour. */
export function lease(sends: number): number {
  return Math.min(30_000 * 2 ** (sends - 1), HOUR)
}

/** Until when (ms) a PSP asks to be left alone: a day at most, and 0 when it does not. */
export function askedFor({ retryAfter }: Unavailable, now: number): number {
  return retryAfter === undefined ? 0 : now + Math.min(retryAfter * 1000, DAY)
}
