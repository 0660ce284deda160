import type { Job } from '../domain/job.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import type { Work } from '../domain/plan.ts'
import { recordAnnouncement } from '../domain/announcement.ts'
import { expire, expireUnanswered, recordPull, postponePull } from '../domain/transition.ts'
import type { Psp } from '../psp/port.ts'
import { announceAgain } from './announce-again.ts'
import { openPsp } from './open-psp.ts'

type Decide = (job: Job, now: number) => Job

const unchanged: Decide = (job) => job

/** Asks the PSP what the alarm found due, and says how the job takes the answer. */
export const askPsp = async (env: Env, job: Job, work: Exclude<Work, 'purge'>): Promise<Decide> => {
  if (work === 'announce') {
    const { account, answer } = await announceAgain(env, job)
    return (current, now) => recordAnnouncement(current, account, answer, now, Math.random())
  }
  if (job.announcement.is !== 'announced') return unchanged
  const psp = await openPsp(env, job)
  const { reference } = job.announcement
  const seen = await psp.pull(reference, job.order.currency)
  return work === 'pull' ? takeIn(seen) : await afterLastPull(psp, job, reference, seen)
}

const takeIn = (seen: PullAnswer): Decide => {
  if (seen.is === 'unavailable') return (job, now) => postponePull(job, seen, now)
  return seen.is === 'observed' ? (job, now) => recordPull(job, 'Statuspull', seen, now) : unchanged
}

/** A payment that is still open when the job ends is stopped, so that nobody pays for what the POS believes expired. */
const afterLastPull = async (psp: Psp, job: Job, reference: string, seen: PullAnswer): Promise<Decide> => {
  if (seen.is === 'unavailable') return expireUnanswered
  const extended = seen.is === 'observed' && (seen.expiresAt ?? 0) > job.expiresAt
  if (seen.is !== 'observed' || seen.status !== 'PENDING' || extended) return thenExpired(takeIn(seen))
  const stopped = await psp.stop?.(reference, job.order.currency)
  // Stopped by the hub is expired in the trace; paid in the last moment is paid.
  return thenExpired(stopped?.is === 'observed' && stopped.status === 'SUCCESS' ? takeIn(stopped) : unchanged)
}

const thenExpired =
  (decide: Decide): Decide =>
  (job, now) =>
    expire(decide(job, now), now)
