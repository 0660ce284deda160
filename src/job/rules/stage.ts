import type { SeenStage } from '../../psp/answer.ts'
import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'
import { DAY } from '../../contract/timestamp.ts'

/**
 * What a job that is PENDING waits for, where that is not the customer. `underway`: the customer has paid by a method that
 * takes its time, and nobody is to pay again. `authorized`: the money is reserved, and is still to be captured. `since` and
 * `until` are in milliseconds: by `until` the PSP itself has brought it to an end.
 */
export const Stage = v.object({
  is: v.picklist(['underway', 'authorized']),
  since: Integer,
  until: Integer,
})
export type Stage = v.InferOutput<typeof Stage>

/** The longest that any method is waited for. */
export const LONGEST_PATIENCE = 90 * DAY

/**
 * The stage of a job after its PSP has told one; undefined for an open job. Its time runs from when the stage was first
 * seen: what is told again does not begin anew.
 */
export function nextStage(current: Stage | undefined, seen: SeenStage, now: number): Stage | undefined {
  if (seen.is === 'open') return undefined
  const since = current?.is === seen.is ? current.since : now
  const until = since + Math.min(seen.patience, LONGEST_PATIENCE)
  return current?.is === seen.is && current.until === until ? current : { is: seen.is, since, until }
}
