import * as v from 'valibot'
import { Status } from '../contract/values.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'

/**
 * A search of the index for jobs that should have moved: created in [from, to), with a status, and
 * last changed before `changedBefore`, if those are set; or, with `of`, those whose reservation ended
 * in [from, to). Times are in µs.
 */
export const Sweep = v.object({
  status: v.nullable(Status),
  from: v.number(),
  to: v.number(),
  changedBefore: v.nullable(v.number()),
  of: v.exactOptional(v.literal('captureBefore')),
})
export type Sweep = v.InferOutput<typeof Sweep>

/** The ages at which sweeps wake a pending job: first when most jobs have ended, then less and less often. */
const OPEN_AT = [25 * HOUR, 49 * HOUR, 98 * HOUR, 8 * DAY, 31 * DAY, 92 * DAY]

/** The age at which sweeps wake every job, because its report or refund may wait for a lost alarm. */
const ANY_AT = 5 * DAY

/** How long after the end of a reservation sweeps wake a job. */
const RESERVED_AT = [HOUR, DAY]

/** The time between the two sweeps for IP addresses, of which one may be lost. */
const ADDRESS_AGAIN = DAY

/**
 * Returns the sweeps for the hour of `now` (ms). Each takes the jobs that were created in one hour, or
 * whose reservation ended in it, so that it finds each job once at each age. The sweeps at the age
 * `addressFor` (ms) erase the customer's IP address. The last one takes all jobs whose `retention`
 * (ms) is over, every hour until they are purged.
 */
export function sweepsAt(now: number, retention: number, addressFor: number): Sweep[] {
  const hour = Math.floor(now / HOUR) * HOUR
  const hourAt = (age: number, status: Sweep['status'], of: Pick<Sweep, 'of'> = {}): Sweep => {
    const to = (hour - age) * 1000
    return { status, from: to - HOUR * 1000, to, changedBefore: null, ...of }
  }
  const open = OPEN_AT.map((age) => hourAt(age, 'PENDING'))
  const reserved = RESERVED_AT.map((age) => hourAt(age, null, { of: 'captureBefore' }))
  const overdue = (hour - retention) * 1000
  const others = [ANY_AT, addressFor, addressFor + ADDRESS_AGAIN].map((age) => hourAt(age, null))
  return [...open, ...reserved, ...others, { status: null, from: 0, to: overdue, changedBefore: overdue }]
}
