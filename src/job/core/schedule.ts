import type { Order } from '../../contract/order.ts'
import { DAY, HOUR, MINUTE } from '../../contract/timestamp.ts'

const SECOND = 1000
const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }

/** Reads durations such as `10s` and `3m`, and returns them in ms. */
function times(...written: readonly `${number}${'s' | 'm' | 'h' | 'd'}`[]): readonly number[] {
  return written.map((one) => parseInt(one) * (UNITS[one.slice(-1)] ?? 0))
}

/** How long (ms) a job lives if the PSP names no end. */
export const DEFAULT_LIFE = DAY
/** How long (ms) after a payment's end the hub asks: a PSP needs time to mark it as expired. */
const EXPIRY_GRACE = MINUTE
/** The longest (ms) that money may be under way. */
export const LONGEST_STAGE = 90 * DAY

/** Pauses after each round of attempts in which no account took the order; then hourly. */
export const ANNOUNCE = times('10s', '30s', '1m', '3m', '10m', '30m', '1h')
/** Ages of a pending job at which the hub asks the PSP, once the customer came back; then daily. */
export const ASK_AT_AGE = times('1m', '3m', '10m', '30m', '1h', '3h', '6h', '12h', '24h')
/** The same before the customer comes back. Most never do, and a question costs as much as a row. */
export const ASK_UNVISITED = times('10m')
/** How long after a job's end the hub asks the PSP, while the customer could still pay. */
export const ASK_AFTER_END = times('1h', '1d', '3d', '7d', '14d', '30d')
/** How long (ms) after an answer the hub does not ask about the same payment again. */
export const APART = 2 * SECOND
/** How many bare notifications (`isBare`) of a job may each prompt a question at once. */
const BARE_AT_ONCE = 8
/**
 * Returns how long (ms) after so many of these the next prompts no question: twice as long each
 * time, and a day at most. Strangers can send them, and each adds an entry to the journal.
 */
export function restAfter(count: number): number {
  return count < BARE_AT_ONCE ? 0 : Math.min(APART * 2 ** (count - BARE_AT_ONCE), DAY)
}
/** Pauses before a question that a notification, or moved money, prompted. Then daily. */
const ASK_PROMPTED = times('0s', '5s', '30s', '2m', '10m', '30m', '1h', '3h', '12h')
/** Returns the pause (ms) before the next prompted question, after so many. */
export function pauseOfPrompted(tries: number): number {
  return ASK_PROMPTED[tries] ?? DAY
}
/** The most prompted questions, if the PSP never answers: they take a month. */
export const MOST_PROMPTED = 38
/**
 * Pauses between the questions after the time to pay: three days together. If the PSP answers none,
 * the job expires. Only questions that reached the PSP count, so an outage of the hub ends no job.
 */
export const ASK_AT_END = times('1m', '5m', '30m', '2h', '6h', '12h', '12h', '12h', '12h', '12h', '6h')
/** A question that comes this much (ms) early counts as on time: clocks are a little off. */
const IS_ASKED = 30_000

/**
 * When the hub asks about a payment by one way to pay, and how long it waits (ms). `life`: of a payment
 * whose PSP names no end. `grace`: how long after that end the hub asks. `visited`, `unvisited`: ages at
 * which it asks once the customer has done something, and before. `early`: how much sooner a question
 * counts as the planned one.
 */
export type Plan = {
  life: number
  grace: number
  announce: readonly number[]
  visited: readonly number[]
  unvisited: readonly number[]
  early: number
  atEnd: readonly number[]
}

const PAGE: Plan = {
  life: DEFAULT_LIFE,
  grace: EXPIRY_GRACE,
  announce: ANNOUNCE,
  visited: ASK_AT_AGE,
  unvisited: ASK_UNVISITED,
  early: IS_ASKED,
  atEnd: ASK_AT_END,
}

/** The ages at which the hub asks about a card payment at a counter: each question costs a request. */
const ASK_AT_COUNTER = times('6s', '15s', '31s', '61s', '91s', '121s', '151s')

/**
 * At a terminal a customer pays within seconds or not at all, and a cashier waits. After its end the hub
 * asks for a day what became of a payment.
 */
const TERMINAL: Plan = {
  life: 3 * MINUTE,
  grace: 3 * SECOND,
  announce: times('2s', '3s', '5s', '10s', '20s', '30s', '1m', '2m', '5m', '10m', '30m', '1h'),
  visited: ASK_AT_COUNTER,
  unvisited: ASK_AT_COUNTER,
  early: SECOND,
  atEnd: times('3s', '5s', '10s', '30s', '1m', '2m', '5m', '10m', '30m', '1h', '3h', '6h', '12h'),
}

/** How long (ms) after the create a terminal may still begin: later the customer has left. */
export const START_WITHIN = 15 * SECOND

/** Returns the plan for an order's way to pay. */
export function planOf({ order }: { order: Pick<Order, 'terminal'> }): Plan {
  return order.terminal ? TERMINAL : PAGE
}

/** Returns the pause (ms) after so many questions at the end. */
export function pauseAtEnd({ atEnd }: Plan, asked: number): number {
  return atEnd[asked - 1] ?? 12 * HOUR
}
/** Returns how long (ms) after a payment's end the hub asks a silent PSP, at the most. */
export function doubtAfter({ atEnd }: Plan): number {
  return atEnd.reduce((sum, pause) => sum + pause, 0)
}
/** How long (ms) money may still come after a terminal said that the payment failed. */
export const FAILURE_DOUBT = 5 * MINUTE
/** While fewer questions in a row are unanswered, the hub asks hourly (a week long); then daily. */
const HOURLY = 7 * 24
/**
 * Returns the pause (ms) after so many unanswered questions in a row. 54 minutes, varied by a
 * tenth, are still within the hour.
 */
export function pauseInSilence(unanswered: number): number {
  return unanswered < HOURLY ? 54 * MINUTE : DAY
}
/** How long (ms) after a job's time to pay the hub keeps asking a PSP that does not answer. */
export const LONGEST_SILENCE = 90 * DAY
/** How long after it asked for an instruction the hub checks it, until it is settled; then once or twice a day. */
export const CHECK_INSTRUCTION = times('1m', '11m', '1h', '7h', '20h', '32h')
/** The same of a settled refund: it may still fail. */
export const CHECK_SETTLED = times('1d', '2d', '3d', '5d', '7d', '11d', '16d', '24d', '36d', '54d', '81d')
/** Pauses before the hub looks at another account. Then daily. */
export const LOOK = times('1m', '10m', '1h', '6h')
/** How long (ms) the hub looks for a payment at another account. */
export const LONGEST_LOOK = 30 * DAY
/** How long (ms) the hub asks about an instruction that the PSP took: even a done refund may fail. */
export const LONGEST_INSTRUCTION = 90 * DAY
/** How long (ms) the hub waits for a PSP that does not say whether it took an instruction. */
export const LONGEST_UNTAKEN = 14 * DAY
/** How long (ms) a duty to a PSP may be overdue, once the job has ended, whatever keeps the hub from it. */
export const LONGEST_OVERDUE = 90 * DAY
/** Pauses before a try at a report: three days together. */
export const REPORT = times('0s', '5s', '1m', '5m', '30m', '2h', '5h', '10h', '14h', '20h', '24h')
/** Returns until when (ms) the hub sends nothing to a server that wants a pause (s): a day at most. */
export function leftAloneUntil(from: number, seconds: number): number {
  return from + Math.min(seconds * SECOND, DAY)
}
/** How long (ms) the row of a new live job waits: most jobs end sooner, and need one row only. */
export const ROW_REST = MINUTE

/**
 * Varies a pause by up to a tenth, so that jobs that failed together do not try again together. The
 * same seed gives the same pause, so a plan is the same each time.
 */
export function jittered(pause: number, ...seed: readonly (string | number)[]): number {
  return Math.round(pause * (0.9 + 0.2 * fractionOf(seed.join(' '))))
}

/** Hashes a text to a fraction in [0, 1) (FNV-1a, 32 bits). */
function fractionOf(text: string): number {
  const bytes = new TextEncoder().encode(text)
  const hash = bytes.reduce((before, byte) => Math.imul(before ^ byte, 0x01000193), 0x811c9dc5)
  return (hash >>> 0) / 2 ** 32
}
