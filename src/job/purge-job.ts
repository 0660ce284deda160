import type { Job } from './rules/job.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { sendPurged } from './outbox.ts'
import { purgeStorage } from './tombstone.ts'

/** What the purge needs of the job's object: how the job stands, whether its PSP is being asked, and to let go of all it has in memory. */
export type JobHolder = { read: () => Job | null; isPulled: () => boolean; letGo: () => void }

/** Deletes the job. Who calls has made sure that nothing is under way, and awaits nothing in between. */
export async function purgeNow(storage: DurableObjectStorage, job: Job, { letGo }: JobHolder): Promise<void> {
  letGo()
  await purgeStorage(storage, job, Date.now())
  log.info('job.purged', { job: job.id, pos: job.pos })
}

/**
 * Deletes the job after its retention time, once the index queue has taken the word. A job that changes meanwhile, by a late
 * payment or a refund, stays; and so does one of which the PSP is being asked: the answer may be such a payment.
 */
export async function purgeJob(
  env: Env,
  storage: DurableObjectStorage,
  job: Job,
  holder: JobHolder,
): Promise<void> {
  const { read, isPulled } = holder
  const before = read()
  const isTaken = !isPulled() && (await sendPurged(env, job))
  if (read() !== before || isPulled()) return storage.setAlarm(Date.now() + MINUTE)
  if (!isTaken) return storage.setAlarm(Date.now() + HOUR)
  await purgeNow(storage, job, holder)
}
