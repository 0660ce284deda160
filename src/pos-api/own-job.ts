import type { Job } from '../job/rules/job.ts'
import type { Profile } from '../registry/profile.ts'
import { refuse } from '../contract/result.ts'
import { readJob } from '../job/call-job.ts'

/** A job of this point of sale. Another's is as unknown as one that never was: null. */
export async function ownJob(env: Env, id: string, { pos }: Profile): Promise<Job | null> {
  const job = await readJob(env, id)
  return job?.pos === pos ? job : null
}

export const noJob = refuse({ code: 'job-not-found', detail: 'There is no payment job with this id.' })
