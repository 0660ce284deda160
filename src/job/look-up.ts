import type { Job } from './rules/job.ts'
import { callJob } from './call-job.ts'

/** What is known under an id that was derived from an Idempotency-Key: its job, or that it was purged. */
export type KnownJob = { is: 'job'; job: Job } | { is: 'purged'; fingerprint: string }

/** Looks up what an Idempotency-Key has made before, before anything is announced under it. Null for a new key. */
export function lookUp(env: Env, id: string): Promise<KnownJob | null> {
  return callJob<KnownJob | null>(env, id, async (stub) => stub.lookUp())
}
