import { nextCallAt, recentCalls } from './rules/outside-calls.ts'

/**
 * Counts the calls of a job's PSP that customers and notifications cause, as its object remembers them. That is lost with the
 * object's memory, which goes when nobody asks for the job for some seconds: so who wants more calls than the limit must wait in
 * between.
 */
export function outsideCalls() {
  let times: number[] = []
  return {
    /** Counts a call at a time (ms). When it is one too many, it is not counted: then it says when (ms) one may be made. */
    count(now: number): number | null {
      times = recentCalls(times, now)
      const at = nextCallAt(times)
      if (at === null) times.push(now)
      return at
    },
  }
}
export type OutsideCalls = ReturnType<typeof outsideCalls>
