import * as v from 'valibot'
import { Integer } from './values.ts'

/**
 * How a test job's clock was moved: it shows `offset` ms more than the real one. `moved` is the
 * real time (ms) at which time was last let pass: nothing of the job counts as older than that.
 */
export const JobClock = v.object({ offset: Integer, moved: Integer })
export type JobClock = v.InferOutput<typeof JobClock>

/** What the job's clock shows (ms) at a real time (ms). */
export function jobNow(clock: JobClock | undefined, real: number): number {
  return real + (clock?.offset ?? 0)
}

/** The real time (ms) of what happens at an instant (ms) of the job's clock. */
export function realAt(clock: JobClock | undefined, instant: number): number {
  return clock === undefined ? instant : Math.max(clock.moved, instant - clock.offset)
}
