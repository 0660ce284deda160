import { type Job, endedAt } from './job.ts'
import { DAY, HOUR } from '../../contract/timestamp.ts'

/** How long (ms) after its end a job is looked at again whose PSP has not said that nothing can be paid any more. */
const LOOKS = [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]

/**
 * Whether the PSP is asked again about a job that has ended: money may come after the link has died. Not after SUCCESS, nor
 * where the PSP never had a payment, nor once its word is final for good.
 */
export function isLookedAfter(job: Job): boolean {
  return job.status !== 'SUCCESS' && job.announcement.is === 'announced' && !job.closed
}

/** When (ms) a job that ends now is looked at for the first time; null when nobody needs to. */
export function firstLookAt(job: Job): number | null {
  return isLookedAfter(job) ? nextLookAt(job, 0) : null
}

/** When (ms) a job that has ended is looked at next; null after the last look, thirty days after its end. */
export function nextLookAt(job: Job, now: number): number | null {
  const end = endedAt(job)
  if (end === null || !isLookedAfter(job)) return null
  return LOOKS.map((after) => end + after).find((at) => at > now) ?? null
}
