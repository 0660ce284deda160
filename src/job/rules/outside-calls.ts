import { HOUR } from '../../contract/timestamp.ts'

/** Calls of a PSP about one job that others than the hub's own timers may cause in an hour. */
export const OUTSIDE_CALLS = 120

/** The calls of the last hour, of the times (ms) of some. */
export function recentCalls(times: readonly number[], now: number): number[] {
  return times.filter((time) => time > now - HOUR)
}

/** When (ms) another call may be made after those of the last hour, oldest first; null for now. */
export function nextCallAt(recent: readonly number[]): number | null {
  const oldest = recent.at(-OUTSIDE_CALLS)
  return oldest === undefined ? null : oldest + HOUR
}
