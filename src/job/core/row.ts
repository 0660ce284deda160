import * as v from 'valibot'
import { Status } from '../../contract/values.ts'
import { type ReportTry, type State, backOf, paidOf, statusOf } from './state.ts'

/** The key of a job in the index. It never changes, so no row ever moves. `created` is in µs. */
export const JobKey = v.object({ id: v.string(), created: v.number(), pos: v.string() })
export type JobKey = v.InferOutput<typeof JobKey>

/**
 * A job as the index holds it. `sequence`: the number of the entry that the row shows; a row with a
 * higher one replaces a row with a lower one. `givenUpAt` (ms): set while the newest report is
 * given up. `failingSince` (ms): set from the first failed try at a report until its delivery.
 * `paidAfter` (ms): from the job's creation to its payment. `movements`: every `Movement` of the
 * job as JSON, in real time; null while no money has moved.
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
  refunded: v.number(),
  chargedBack: v.number(),
  movements: v.nullable(v.string()),
})
export type JobRow = v.InferOutput<typeof JobRow>

export function rowOf(state: State): JobRow {
  const { order, payments, steps, created } = state
  const paidStep = steps.find(({ status }) => status === 'SUCCESS')
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
    updated: realMicros(state, state.index.updated),
    givenUpAt: givenUpAt(state),
    sequence: state.index.changed,
    reference: payments[0]?.reference ?? null,
    announcement: announcementOf(state),
    failingSince: failingSince(state),
    paidAfter: paidStep ? Math.floor((paidStep.at - created) / 1000) : null,
    ...backOf(state),
    movements: state.movements.length === 0 ? null : JSON.stringify(state.movements),
  }
}

/** Returns whether two rows are the same but for `sequence`. */
export function sameRow(one: JobRow, other: JobRow): boolean {
  return JSON.stringify({ ...one, sequence: 0 }) === JSON.stringify({ ...other, sequence: 0 })
}

/** Returns the account that took the order; until then the first account of the newest round. */
export function accountOf({ payments, attempts }: State): string {
  const newest = attempts.at(-1)
  const first = attempts.find(({ at }) => newest && at >= newest.at - ROUND)
  return payments[0]?.account ?? first?.account ?? ''
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
  return realAt(state, last ? endOf(last) : report.since)
}

/** Returns since when (ms) the tries at reports have failed; null after a delivery. */
export function failingSince(state: State): number | null {
  if (state.report?.state === 'delivered') return null
  const failed = failedTries(state)[0]
  return failed ? realAt(state, endOf(failed)) : null
}

/** Returns the tries since the shop last took a report. */
export function failedTries({ report }: State): ReportTry[] {
  const history = report?.history ?? []
  return history.slice(history.findLastIndex(({ result }) => result === 'delivered') + 1)
}

function endOf({ began, ms }: ReportTry): number {
  return began + ms
}

/** Converts an instant (ms) of the job's clock to real time (ms). */
export function realAt({ clock }: Pick<State, 'clock'>, instant: number): number {
  return clock.offset === 0 ? instant : Math.max(clock.moved, instant - clock.offset)
}

function realMicros(state: State, micros: number): number {
  return realAt(state, Math.floor(micros / 1000)) * 1000 + (micros % 1000)
}
