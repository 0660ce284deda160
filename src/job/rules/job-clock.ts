import * as v from 'valibot'
import { Integer } from '../../contract/integer.ts'
import { DAY } from '../../contract/timestamp.ts'

/** The fastest clock: three days pass in three seconds. */
export const FASTEST = 100_000

/**
 * A clock of its own that a job in test mode may have: once `since` (ms of the real time) has passed, it runs `speed` times as fast as the real
 * one, until it is some 60 days ahead; then both run alike. That is longer than anything of a job takes, but its retention.
 */
export const JobClock = v.object({
  speed: v.pipe(Integer, v.minValue(1), v.maxValue(FASTEST)),
  since: Integer,
})
export type JobClock = v.InferOutput<typeof JobClock>

/** How long (ms) a new job's clock runs as the real one does: for that long the customer has no less time to pay than ever. */
export const GRACE = 10_000
/** How long (ms of its own time) a clock runs fast. */
const FAST_FOR = 60 * DAY

/** The clock of a job that is created now (ms), for a client that asks for a speed. */
export function newClock(speed: number, now: number): JobClock {
  return { speed, since: now + GRACE }
}

/** For how long (ms of the real time) a clock runs fast. */
function fastFor({ speed }: JobClock): number {
  return Math.ceil(FAST_FOR / speed)
}

/** What the job's clock shows (ms) at a real time (ms). Without a clock of its own, that is the real time. */
export function jobNow(clock: JobClock | undefined, real: number): number {
  if (clock === undefined || real <= clock.since) return real
  const gone = Math.min(real - clock.since, fastFor(clock))
  return real + gone * (clock.speed - 1)
}

/** The first real time (ms, whole) at which the job's clock shows an instant (ms). */
export function realAt(clock: JobClock | undefined, instant: number): number {
  if (clock === undefined || instant <= clock.since) return instant
  const ahead = instant - clock.since
  const fast = fastFor(clock)
  return ahead <= fast * clock.speed
    ? clock.since + Math.ceil(ahead / clock.speed)
    : instant - fast * (clock.speed - 1)
}

/**
 * What the job's clock shows when a real span (ms) has passed since it showed an instant (ms). For what does not follow the job: how
 * long a queue may hold a message, or how long a job is there to be looked at.
 */
export function afterReal(clock: JobClock | undefined, instant: number, span: number): number {
  return jobNow(clock, realAt(clock, instant) + span)
}
