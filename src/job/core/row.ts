import * as v from 'valibot'
import { realAt } from '../../contract/advance.ts'
import { figuresWith } from '../../contract/money-figures.ts'
import { recordOf } from '../../contract/record-of.ts'
import { Status } from '../../contract/values.ts'
import { reservedUntil } from './reserved.ts'
import { type ReportTry, type State, alsoPaidBy, statusOf } from './state.ts'
import { ofKind } from './payment.ts'
import { paidOf } from './money.ts'
import { sumsOf } from './sums.ts'

/** The key of a job in the index. It never changes, so no row ever moves. `created` is in µs. */
export const JobKey = v.object({ id: v.string(), created: v.number(), pos: v.string() })
export type JobKey = v.InferOutput<typeof JobKey>

/**
 * A job as the index holds it. `sequence`: the newest entry that the row knows; a row with a higher one
 * replaces a row with a lower one. `updated` (µs): when something last changed that the shop can see.
 * `givenUpAt` (ms): set while the newest report is given up. `failingSince` (ms): set from the first
 * failed try at a report until its delivery. `paidAfter` (ms): from the job's creation to its payment.
 * `movements`: every `Movement` of the job as JSON, in real time; null while no money has moved.
 */
export const JobRow = v.object({
  ...JobKey.entries,
  account: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.number(),
  paid: v.number(),
  status: Status,
  updated: v.number(),
  givenUpAt: v.nullable(v.number()),
  sequence: v.number(),
  reference: v.nullable(v.string()),
  announcement: v.picklist(['due', 'announced', 'refused']),
  failingSince: v.nullable(v.number()),
  paidAfter: v.nullable(v.number()),
  /** Figures of money (minor units). Rows of release 1.0 have only two. */
  ...recordOf(figuresWith('column'), () => v.optional(v.number(), 0)),
  refunded: v.number(),
  chargedBack: v.number(),
  movements: v.nullable(v.string()),
  /** The ids of other jobs of the order number that were paid too, with spaces between. */
  alsoPaidBy: v.optional(v.nullable(v.string()), null),
  /** Until when (ms, real time) reserved money can be captured; null if nothing can. */
  captureBefore: v.optional(v.nullable(v.number()), null),
  /** The terminal at which the customer pays. */
  terminal: v.optional(v.nullable(v.string()), null),
  /** What else a caller may name, with spaces between; see `foundBy`. */
  foundBy: v.optional(v.nullable(v.string()), null),
})
export type JobRow = v.InferOutput<typeof JobRow>

export function rowOf(state: State): JobRow {
  const { order, payments, steps, created } = state
  const paidStep = steps.find(({ status }) => status === 'SUCCESS')
  const ends = reservedUntil(state)
  return {
    id: state.id,
    created,
    pos: state.pos,
    account: accountOf(state),
    paymentMethod: order.paymentMethod,
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    currency: order.currency,
    amount: order.amount,
    paid: paidOf(state),
    status: statusOf(state),
    updated: realMicros(state, state.updated),
    givenUpAt: givenUpAt(state),
    sequence: state.entry.number,
    reference: payments[0]?.reference ?? null,
    announcement: announcementOf(state),
    failingSince: failingSince(state),
    paidAfter: paidStep ? Math.floor((paidStep.at - created) / 1000) : null,
    ...sumsOf(state, figuresWith('column')),
    movements: state.movements.length === 0 ? null : JSON.stringify(state.movements),
    alsoPaidBy: alsoPaidBy(state).join(' ') || null,
    captureBefore: ends === null ? null : realAt(state.clock, ends),
    terminal: order.terminal?.id ?? null,
    foundBy: foundBy(state).join(' ') || null,
  }
}

/** Returns what a slip says of the card, and both ids of each refund that the PSP has, the newest twenty. */
function foundBy(state: State): string[] {
  const { payments } = state
  const named = ofKind(state, 'refund')
    .filter(({ answeredAt }) => answeredAt > 0)
    .slice(-20)
  const cards = payments.flatMap(({ card }) => [card?.lastFour, card?.authorisationCode])
  return [...cards, ...named.flatMap(({ id, pspId }) => [id, pspId])].flatMap((name) => name ?? [])
}

type Group = readonly [first: keyof JobRow, ...others: (keyof JobRow)[]]
/**
 * Members that came later, in the order of the digests in journals. A group is left out while its first member has
 * its default, so that a release that adds members needs no new rows.
 */
const LATER: readonly Group[] = [
  ['unapplied'],
  ['alsoPaidBy'],
  ['authorized', 'released', 'captureBefore'],
  ['terminal', 'tip'],
  ['foundBy'],
]
const OTHERS = v.keyof(JobRow).options.filter((name) => !LATER.flat().includes(name))
const isLater = (name: keyof JobRow) => JobRow.entries[name].type === 'optional'
const FIRST = OTHERS.filter((name) => !isLater(name) && name !== 'sequence' && name !== 'updated')
const GROUPS = [...LATER, ...OTHERS.filter(isLater).map((name): Group => [name])]

/** Returns what an operator sees of a row. A step without news needs no new row. */
export function seenIn(row: JobRow): string {
  const later = GROUPS.filter(([first]) => row[first]).flat()
  return JSON.stringify(row, [...FIRST, ...later])
}

export function rowDigest(state: State): string {
  return digestOf(seenIn(rowOf(state)))
}

/** Returns whether the index has what an operator would see of the job. */
export function isIndexed(state: State): boolean {
  return state.index.digest === rowDigest(state)
}

/**
 * Hashes a text to 53 bits (cyrb53). An attacker gains nothing by a collision: a row would stay as it is
 * until the nightly check.
 */
function digestOf(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x9e3779b1)
    other = Math.imul(other ^ code, 0x5f356495)
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  return (0x100000000 * (other & 0x1fffff) + (one >>> 0)).toString(36)
}

/** Returns the account that took the order; until then the first account of the newest round. */
export function accountOf({ order, payments, attempts }: State): string {
  const newest = attempts.at(-1)
  const first = attempts.find(({ at }) => newest && at >= newest.at - ROUND)
  return payments[0]?.account ?? first?.account ?? order.terminal?.account ?? ''
}
/** The hub asks all accounts of a route within this time (ms). */
const ROUND = 10_000

export function announcementOf(state: State): JobRow['announcement'] {
  if (state.payments.length > 0) return 'announced'
  return statusOf(state) === 'FAILURE' ? 'refused' : 'due'
}

function givenUpAt(state: State): number | null {
  const { report } = state
  if (report?.state !== 'given-up') return null
  const last = report.history.at(-1)
  return realAt(state.clock, last ? endOf(last) : report.since)
}

/** Returns since when (ms) the tries at reports have failed; null after a delivery. */
export function failingSince(state: State): number | null {
  if (state.report?.state === 'delivered') return null
  const failed = failedTries(state)[0]
  return failed ? realAt(state.clock, endOf(failed)) : null
}

/** Returns the tries since the shop last accepted a report. */
export function failedTries({ report }: State): ReportTry[] {
  const history = report?.history ?? []
  return history.slice(history.findLastIndex(({ result }) => result === 'delivered') + 1)
}

function endOf({ began, ms }: ReportTry): number {
  return began + ms
}

function realMicros({ clock }: State, micros: number): number {
  if (clock.offset === 0) return micros
  // A row from before the clock moved may have any microsecond of that time.
  return Math.max(clock.moved * 1000 + 999, micros - clock.offset * 1000)
}
