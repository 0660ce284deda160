import { DAY, HOUR, MINUTE } from '../../contract/timestamp.ts'

const SECOND = 1000

/** How long (ms) a job lives whose PSP names no end of its own. */
export const DEFAULT_LIFE = DAY
/** A PSP needs some time to mark what has just expired; the hub asks that much later. */
export const EXPIRY_GRACE = MINUTE
/** The longest (ms) that money may be under way. */
export const LONGEST_STAGE = 90 * DAY

/** Pauses (ms) after each round of accounts that did not take the order; then hourly. */
export const ANNOUNCE = [10 * SECOND, 30 * SECOND, MINUTE, 3 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]
/** Ages (ms) of a pending job at which its PSP is asked; then daily. */
export const ASK_AT_AGE = [1, 3, 10, 30, 60, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)
/** How long (ms) after its end the PSP is asked about a job that somebody could still pay. */
export const ASK_AFTER_END = [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]
/** How long (ms) after an answer the PSP is not asked again about the same payment. */
export const APART = 2 * SECOND
/**
 * Pauses (ms) before a question that is owed: after a notification, or when money has moved. Then
 * daily.
 */
export const ASK_OWED = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  12 * HOUR,
]
/** So many questions that are owed, and no more, when a PSP never answers: a month of them. */
export const MOST_OWED = 38
/**
 * Pauses (ms) between the questions after the time to pay is over, which take three days together.
 * Each must have reached out to the PSP, so an outage of the hub ends no job. When none was
 * answered, the job expires.
 */
export const ASK_AT_END = [
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  12 * HOUR,
  12 * HOUR,
  12 * HOUR,
  12 * HOUR,
  6 * HOUR,
]
/** The pause (ms) after so many questions at the end. */
export function pauseAtEnd(asked: number): number {
  return ASK_AT_END[asked - 1] ?? 12 * HOUR
}
/**
 * So many questions about an ended job go unanswered an hour apart, or of a pending one whose
 * account is refused; then a day apart.
 */
const HOURLY = 7 * 24
/** The pause (ms) after so many questions in a row that the PSP has not answered. */
export function pauseInSilence(unanswered: number): number {
  return unanswered < HOURLY ? HOUR : DAY
}
/**
 * How long (ms) after its end, or the end of its time, the hub asks about a job on which the PSP
 * gives no answer.
 */
export const LONGEST_SILENCE = 90 * DAY
/**
 * Pauses (ms) before the hub asks what became of a refund, or looks for a payment at another
 * account. Then daily.
 */
export const LOOK = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]
/** How long (ms) the hub looks for a payment at another account. */
export const LONGEST_LOOK = 30 * DAY
/** How long (ms) the hub asks about a refund: one that was done may fail after all. */
export const LONGEST_REFUND = 90 * DAY
/** Pauses (ms) before a try at a report, which take three days together. */
export const REPORT = [
  0,
  5 * SECOND,
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
export const REPORT_TRIES = REPORT.length
/**
 * How long (ms) the row of a new live job rests: most payments end sooner, and need one row then.
 */
export const ROW_REST = MINUTE

/**
 * Varies a pause by a tenth to either side, so that jobs that failed together are not tried
 * together. It follows from the job and what is planned, so that a plan is the same each time it is
 * made.
 */
export function jittered(pause: number, ...seed: readonly (string | number)[]): number {
  return Math.round(pause * (0.9 + 0.2 * fractionOf(seed.join(' '))))
}

/** A fraction in [0, 1) that looks random (FNV-1a, 32 bits). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}
