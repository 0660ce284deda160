import type { IRequest } from 'itty-router'
import { isJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { callJob } from '../payment-job/call-job.ts'

/** The job that a customer's address names, or null. */
export const jobOf = async (request: IRequest, env: Env): Promise<Job | null> => {
  const id = String(request.params['id']).toLowerCase()
  return isJobId(id) ? callJob(env, id, (stub) => stub.read()) : null
}
