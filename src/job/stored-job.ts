import { Job } from './rules/job.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'

/** A job as its object stores it, under the key `job`. */
export const storedJob = storedShape(Job)

type Stored = Pick<SyncKvStorage, 'get' | 'put'>

/**
 * The job that is stored, or null where nothing is. Throws an `UnreadableError` for a job of a later release, which must not
 * be overwritten.
 */
export function readStoredJob(kv: Stored): Job | null {
  const stored = kv.get('job')
  if (stored === undefined) return null
  const read = storedJob.read(stored)
  if (!read.ok) throw new UnreadableError('the job', read.error)
  return read.value
}

export function writeStoredJob(kv: Stored, job: Job): void {
  kv.put('job', storedJob.write(job))
}
