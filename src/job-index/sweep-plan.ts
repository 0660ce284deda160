import * as v from 'valibot'
import { JobKey } from '../job/rules/job-row.ts'
import { storedShape } from '../platform/stored.ts'
import { Status } from '../contract/values.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'

/**
 * A look through the index for jobs that should have moved: those created before `to` and not before `from` (µs). Only those of
 * a status, where it has one, and only those last changed before `changedBefore` (µs), where it has that.
 */
export const Sweep = v.object({
  status: v.nullable(Status),
  from: v.number(),
  to: v.number(),
  changedBefore: v.nullable(v.number()),
})
export type Sweep = v.InferOutput<typeof Sweep>

/**
 * Ages at which a job that is still open is looked at: an hour after most have ended, a day later, once the hub has given up
 * PSPs that do not answer, and then for payments that a PSP keeps open. What one look misses is found by the next.
 */
const OPEN_AT = [25 * HOUR, 49 * HOUR, 98 * HOUR, 8 * DAY, 31 * DAY, 92 * DAY]

/**
 * The age at which every job is looked at once, whatever its status: also one that has ended, and whose report, refund or late
 * look waits for an alarm that is lost. By then a report of the first day is delivered or given up.
 */
const ANY_AT = 5 * DAY

/**
 * The sweeps of the hour that `now` is in; `now` and `retention` are in milliseconds. Each takes the jobs of one hour, so that each
 * job is looked at once at each age; the last takes all whose retention time is over, each hour until they are gone: it is these looks
 * that purge.
 */
export function sweepsAt(now: number, retention: number): Sweep[] {
  const hour = Math.floor(now / HOUR) * HOUR
  const hourAt = (age: number, status: Sweep['status']): Sweep => {
    const to = (hour - age) * 1000
    return { status, from: to - HOUR * 1000, to, changedBefore: null }
  }
  const open = OPEN_AT.map((age) => hourAt(age, 'PENDING'))
  const overdue = (hour - retention) * 1000
  return [...open, hourAt(ANY_AT, null), { status: null, from: 0, to: overdue, changedBefore: overdue }]
}

/** Queue `sweeps`: the page of a sweep's jobs that comes after one of them, or its first. */
export const SweepMessage = v.object({ sweep: Sweep, after: v.nullable(JobKey) })
export type SweepMessage = v.InferOutput<typeof SweepMessage>
export const sweepMessage = storedShape(SweepMessage)
