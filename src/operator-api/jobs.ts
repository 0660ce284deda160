import type { IRequest } from 'itty-router'
import { isJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { represent } from '../domain/representation.ts'
import type { Answer } from '../http/routes.ts'
import type { Refusal } from '../http/refusal.ts'
import { callJob } from '../payment-job/call-job.ts'

const noJob: Refusal = { refused: 'not-found', detail: 'There is no payment job with this id.' }

/** `GET /operator/v1/jobs/{id}`: the job as its POS sees it, with where it is and what became of its reports. */
export const showJob = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const job = await jobOf(request, env, (stub) => stub.read())
  return job ? Response.json(representForOperator(job)) : noJob
}

/** `POST /operator/v1/jobs/{id}/resend`: the newest report again, from the start of its schedule. */
export const resendReport = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const job = await jobOf(request, env, (stub) => stub.resend())
  return job ? Response.json(representForOperator(job)) : noJob
}

const jobOf = async (
  request: IRequest,
  env: Env,
  call: Parameters<typeof callJob<Job | null>>[2],
): Promise<Job | null> => {
  const id = String(request.params['id']).toLowerCase()
  return isJobId(id) ? callJob(env, id, call) : null
}

const representForOperator = (job: Job) => ({
  ...represent(job),
  pos: job.pos,
  account: job.account,
  announcement: job.announcement.is,
  reference: job.announcement.is === 'announced' ? job.announcement.reference : null,
  reports: job.reports.map(({ revision, state, dueAt, attempts }) => ({
    revision,
    state,
    due: state === 'waiting' ? new Date(dueAt).toISOString() : null,
    attempts: attempts.map(({ at, outcome }) => ({ at: new Date(at).toISOString(), outcome })),
  })),
})
