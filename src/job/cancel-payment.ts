import type { Canceller, Job } from './rules/job.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { callJob } from './call-job.ts'
import { syncWithPsp } from './sync-with-psp.ts'

/** Why a job was not cancelled: the PSP does not answer now, or it is too late for the job as it stands. */
export type NotCancelled = { is: 'unavailable' } | { is: 'too-late'; job: Job }

/**
 * Stops a payment that is open at its PSP, and cancels the job. A job that is cancelled already stays so. Null for an unknown id.
 */
export async function cancelPayment(
  env: Env,
  id: string,
  by: Canceller,
): Promise<Result<Job, NotCancelled> | null> {
  const job = await callJob<Job | null>(env, id, async (stub) => stub.cancelUnannounced(by))
  if (job === null) return null
  if (job.announcement.is !== 'announced') return cancelled(job)
  const synced = await syncWithPsp(env, id, { reason: 'cancel', by })
  if (synced === null) return null
  return synced.isAnswered || synced.job.status !== 'PENDING'
    ? cancelled(synced.job)
    : refuse({ is: 'unavailable' })
}

function cancelled(job: Job): Result<Job, NotCancelled> {
  return job.status === 'CANCELLED' ? ok(job) : refuse({ is: 'too-late', job })
}
