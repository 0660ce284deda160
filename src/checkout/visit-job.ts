import { parseJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { clientNetwork } from '../http/client-network.ts'
import { countRequest } from '../http/rate-limit.ts'
import { isMarkedJobId } from '../payment-job/marked-id.ts'
import { nameMemory } from '../storage/kv/name-memory.ts'
import { CHECKOUT_QUOTAS } from './quotas.ts'

const QUOTA = CHECKOUT_QUOTAS.unknownJobsPerAddress

/** Ids that no job has, for ten seconds: nobody knows the id of a job before the job is there. */
const misses = nameMemory(10)
/** Networks that have asked for too many of them, for as long as the limit counts. */
const strangers = nameMemory(QUOTA.period)

/**
 * Finds the job that a customer's address names; null when there is none. Each look at an unknown id starts an object, which
 * costs. So a network that asks for too many of them is answered `too-many` for a minute, and no object is started, but for
 * ids that carry the hub's mark: those are of jobs that the hub has made.
 */
export const visitJob = async (
  request: Request,
  env: Env,
  text: string,
  find: (id: string) => Promise<Job | null>,
): Promise<Job | null | 'too-many'> => {
  const id = parseJobId(text)
  if (id === null || misses.has(id)) return null
  if (await isMarkedJobId(env.SIGNING_ROOT, id)) return find(id)
  const network = clientNetwork(request)
  if (strangers.has(network)) return 'too-many'
  const job = await find(id)
  if (job) return job
  misses.add(id)
  const counted = await countRequest(env.UNKNOWN_JOBS_PER_ADDRESS, QUOTA, network)
  if (!counted.ok) strangers.add(network)
  return null
}
