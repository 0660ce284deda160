import { parseJobId } from '../contract/job-id.ts'
import type { Job } from '../job/rules/job.ts'
import { formatAmount } from '../contract/money.ts'
import { refuse } from '../contract/result.ts'
import { callJob, readJob } from '../job/call-job.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { representForOperator } from './job-detail.ts'
import { reply } from '../platform/http/operations.ts'

export const noJob = refuse({
  code: 'job-not-found',
  detail: 'There is no payment job with this id, or it was deleted after its retention time.',
})

/** `GET /operator/v1/jobs/{id}`: the job as its POS sees it, with where it is and what became of its reports. */
export const showJob: OperatorHandler<'showJob'> = async ({ env, params }) => {
  const job = await readJob(env, params.id)
  return job ? reply(await representForOperator(env, job)) : noJob
}

/** `POST /operator/v1/jobs/{id}/resend`: the newest report again, from the start of its schedule. */
export const resendReport: OperatorHandler<'resendReport'> = async ({ env, params }) => {
  const id = parseJobId(params.id)
  const job = id === null ? null : await callJob(env, id, (stub) => stub.resend())
  if (!job) return noJob
  return changed(await representForOperator(env, job), {
    subject: job.id,
    before: null,
    after: statusOf(job),
  })
}

/** What the audit log tells of a job. */
export function statusOf({ status, order, paid }: Job) {
  return {
    status,
    amountPaid: formatAmount(paid, order.currency),
    currency: order.currency,
  }
}
