import * as v from 'valibot'
import { Integer, documented } from './values.ts'

/** The most seconds that a test job's clock may be ahead: 400 days. */
export const MOST_SECONDS = 400 * 24 * 60 * 60

const WHOLE = `must be a whole number from 1 to ${MOST_SECONDS}`

export const Advance = documented('How much time to let pass for a job in test mode.', {
  seconds: v.pipe(
    v.number(WHOLE),
    v.integer(WHOLE),
    v.minValue(1, WHOLE),
    v.maxValue(MOST_SECONDS, WHOLE),
    v.description('How many seconds pass. All calls for a job together: at most 400 days.'),
    v.examples([259_200]),
  ),
})
export type Advance = v.InferOutput<typeof Advance>

/**
 * A test job's clock. It is `offset` ms ahead of the real time. `moved` is the real time (ms) of its
 * last move: nothing about the job counts as older.
 */
export const JobClock = v.object({ offset: Integer, moved: Integer })
export type JobClock = v.InferOutput<typeof JobClock>

/** Returns the time (ms) that the job's clock shows at a real time (ms). */
export function jobNow(clock: JobClock | undefined, real: number): number {
  return real + (clock?.offset ?? 0)
}

/** Returns the real time (ms) at which the job's clock shows an instant (ms). */
export function realAt(clock: JobClock | undefined, instant: number): number {
  return !clock || clock.offset === 0 ? instant : Math.max(clock.moved, instant - clock.offset)
}
