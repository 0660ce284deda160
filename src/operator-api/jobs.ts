import { parseJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { represent } from '../domain/representation.ts'
import { refuse } from '../domain/result.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { callJob, readJob } from '../payment-job/call-job.ts'
import type { JobDetail } from './contract.ts'

const noJob = refuse({ refused: 'not-found', detail: 'There is no payment job with this id.' })

/** `GET /operator/v1/jobs/{id}`: the job as its POS sees it, with where it is and what became of its reports. */
export const showJob: Handler<{ id: string }> = async (_, { env, params }) => {
  const job = await readJob(env, params.id)
  return job ? json(representForOperator(job)) : noJob
}

/** `POST /operator/v1/jobs/{id}/resend`: the newest report again, from the start of its schedule. */
export const resendReport: Handler<{ id: string }> = async (_, { env, params }) => {
  const id = parseJobId(params.id)
  const job = id === null ? null : await callJob(env, id, (stub) => stub.resend())
  return job ? json(representForOperator(job)) : noJob
}

const representForOperator = (job: Job): JobDetail => ({
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
