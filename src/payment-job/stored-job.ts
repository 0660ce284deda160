import { Job } from '../domain/job.ts'
import { type Upgrade, UnreadableError, storedShape } from '../domain/stored.ts'

/** From version 1 to 2, from 2 to 3 and so on, each with a fixture in test/fixtures/stored. None so far. */
const UPGRADES: readonly Upgrade[] = []

/** A job as its object stores it, under the key `job`. */
export const storedJob = storedShape(Job, UPGRADES)

/** The job that is stored, or null where nothing is. Throws an `UnreadableError`: such a job is there, and is not to be overwritten. */
export const readStoredJob = (stored: unknown): Job | null => {
  if (stored === undefined) return null
  const job = storedJob.read(stored)
  if (!job.ok) throw new UnreadableError('the job', job.error)
  return job.value
}
