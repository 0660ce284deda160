import { type JobClock, realAt } from '../../contract/advance.ts'
import { MINUTE } from '../../contract/timestamp.ts'
import type { Duty } from './duties.ts'

/** The shortest pause (ms) before an alarm, for duties that fail at once. */
const SOONEST = 1000
/** The alarm's delay (ms) for a duty that runs now: the alarm brings it back if memory is lost. */
const UNLESS_LOST = 30_000
/** The longest pause (ms) after a duty failed. */
const LONGEST_PAUSE = 10 * MINUTE
/** How late (ms) the platform may ring an alarm before that counts as lost. */
const LATEST_RING = MINUTE
/** Duties without an alarm: a sweep wakes the job for them, which saves the write of an alarm. */
export const AT_A_SWEEP: ReadonlySet<Duty['do']> = new Set(['erase', 'purge'])

/** Keeps a duty from beginning before `until` (ms). `isLent`: a queue does the work until then. */
export type Wait = { until: number; failures: number; isLent: boolean }

/**
 * Returns the wait of a duty that was done in vain: twice as long each time. `lentUntil`: when (ms)
 * the work of a queue counts as lost; 0 if no queue took the duty.
 */
export function nextWait(before: Wait | undefined, now: number, lentUntil: number): Wait {
  const failures = (before?.failures ?? 0) + 1
  const pause = Math.min(SOONEST * 2 ** failures, LONGEST_PAUSE)
  return { until: Math.max(lentUntil, now + pause), failures, isLent: lentUntil > 0 }
}

/** An alarm: when (ms, real time) it should ring, and how late would still do. */
type Alarm = { at: number; latest: number }

/** A duty that the object may begin `from` a time (ms) on. A queue does the work of one that is lent. */
type Pending = { duty: Pick<Duty, 'do' | 'at'>; from: number; isLent: boolean }

/**
 * Returns the alarm that a duty needs at a real time (ms); null if the hourly sweep comes for it.
 * Once the sweep is late for a purge or an erasure, an alarm comes instead.
 */
function alarmFor({ duty, from, isLent }: Pending, clock: JobClock, real: number): Alarm | null {
  if (AT_A_SWEEP.has(duty.do) && realAt(clock, duty.at) > real) return null
  const at = realAt(clock, from)
  if (at <= real) return { at: real + UNLESS_LOST, latest: real + MINUTE }
  // The queue is likely to answer before that, so the alarm may be late.
  if (isLent) return { at, latest: at + MINUTE }
  const exact = Math.max(at, real + SOONEST)
  return { at: exact, latest: exact }
}

/** Returns the alarm that an object needs for its duties at a real time (ms); null for none. */
export function nextAlarm(pending: readonly Pending[], clock: JobClock, real: number): Alarm | null {
  const alarms = pending.map((one) => alarmFor(one, clock, real)).filter((alarm) => alarm !== null)
  if (alarms.length === 0) return null
  return {
    at: Math.min(...alarms.map(({ at }) => at)),
    latest: Math.min(...alarms.map(({ latest }) => latest)),
  }
}

/**
 * Returns whether the alarm that is set, at `set` (ms), does for the next one too: setting it again
 * costs as much as an entry of the journal.
 */
export function isSoonEnough(set: number | null, next: Alarm, real: number): boolean {
  return set !== null && set > real - LATEST_RING && set <= next.latest
}
