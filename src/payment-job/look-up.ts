import type { Job } from '../domain/job.ts'
import { callJob } from './call-job.ts'
import { isOfReleaseBefore } from '../http/outage.ts'
import { lookUpOfRelease01 } from './release-0.1.ts'

/** What is known under an id that was derived from an Idempotency-Key: its job, or that it was purged. */
export type KnownJob = { is: 'job'; job: Job } | { is: 'purged'; fingerprint: string }

/** Looks up what an Idempotency-Key has made before, before anything is announced under it. Null for a new key. */
export const lookUp = async (env: Env, id: string): Promise<KnownJob | null> => {
  try {
    return await callJob<KnownJob | null>(env, id, async (stub) => stub.lookUp())
  } catch (error) {
    if (!isOfReleaseBefore(error)) throw error
    return lookUpOfRelease01(env, id)
  }
}
