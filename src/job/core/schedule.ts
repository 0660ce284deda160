import { DAY, HOUR, MINUTE } from '../../contract/timestamp.ts'

const SECOND = 1000
const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** Times (ms), written as people write them. */
function times(...written: readonly `${number}${'s' | 'm' | 'h' | 'd'}`[]): readonly number[] {
  return written.map((one) => parseInt(one) * (UNITS[one.slice(-1)] ?? 0))
}

/** How long (ms) a job lives whose PSP names no end of its own. */
export const DEFAULT_LIFE = DAY
/** A PSP needs some time to mark what has just expired; the hub asks that much later. */
export const EXPIRY_GRACE = MINUTE
/** The longest (ms) that money may be under way. */
export const LONGEST_STAGE = 90 * DAY

/** Pauses after each round of accounts that did not take the order; then hourly. */
export const ANNOUNCE = times('10s', '30s', '1m', '3m', '10m', '30m', '1h')
/** Ages of a pending job at which its PSP is asked; then daily. */
export const ASK_AT_AGE = times('1m', '3m', '10m', '30m', '1h', '3h', '6h', '12h', '24h')
/** How long after its end the PSP is asked about a job that somebody could still pay. */
export const ASK_AFTER_END = times('1h', '1d', '3d', '7d', '14d', '30d')
/** How long (ms) after an answer the PSP is not asked again about the same payment. */
export const APART = 2 * SECOND
/** Pauses before a question that a notification, or moved money, prompted. Then daily. */
export const ASK_PROMPTED = times('0s', '5s', '30s', '2m', '10m', '30m', '1h', '3h', '12h')
/** So many of them, and no more, when a PSP never answers: a month. */
export const MOST_PROMPTED = 38
/**
 * Pauses between the questions after the time to pay is over: three days together. Each must have
 * reached the PSP, so an outage of the hub ends no job. When none was answered, the job expires.
 */
export const ASK_AT_END = times('1m', '5m', '30m', '2h', '6h', '12h', '12h', '12h', '12h', '12h', '6h')
/** The pause (ms) after so many questions at the end. */
export function pauseAtEnd(asked: number): number {
  return ASK_AT_END[asked - 1] ?? 12 * HOUR
}
/** So many questions in a row go unanswered within an hour of each other; then a day apart. */
const HOURLY = 7 * 24
/**
 * The pause (ms) after so many questions in a row that the PSP has not answered: varied by a tenth,
 * it is still within the hour.
 */
export function pauseInSilence(unanswered: number): number {
  return unanswered < HOURLY ? 54 * MINUTE : DAY
}
/** How long (ms) after the end of its time the hub asks about a job, while no answer comes. */
export const LONGEST_SILENCE = 90 * DAY
/** Pauses before the hub checks a refund, or looks at another account. Then daily. */
export const LOOK = times('1m', '10m', '1h', '6h')
/** How long (ms) the hub looks for a payment at another account. */
export const LONGEST_LOOK = 30 * DAY
/** How long (ms) the hub asks about a refund: one that was done may fail after all. */
export const LONGEST_REFUND = 90 * DAY
/** Pauses before a try at a report: three days together. */
export const REPORT = times('0s', '5s', '1m', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h')
/** How long (ms) the row of a new live job rests: most end sooner, and need one row then. */
export const ROW_REST = MINUTE

/**
 * Varies a pause by a tenth to either side, so that jobs that failed together are not tried
 * together. It follows from the seed: a plan is the same each time it is made.
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
