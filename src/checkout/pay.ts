import type { IRequest } from 'itty-router'
import { type Job, isFinal } from '../domain/job.ts'
import type { Answer } from '../http/routes.ts'
import { seeOther } from '../http/redirect.ts'
import { announceAgain } from '../payment-job/announce-again.ts'
import { callJob } from '../payment-job/call-job.ts'
import { jobOf } from './job-of.ts'
import { noticePage, unknownPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/** `GET /pay/{id}`, the `payUrl`: on to the PSP's page while there is something to pay, else a notice. */
export const pay = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const found = await jobOf(request, env)
  if (!found) return unknownPage(request)
  const job = mayBePaid(found) ? await announceNow(env, found) : found
  if (!mayBePaid(job)) {
    return noticePage(
      request,
      job,
      isFinal(job.status) ? job.status : 'EXPIRED',
      await returnLocation(env, job),
    )
  }
  return job.announcement.is === 'announced'
    ? seeOther(job.announcement.checkoutUrl)
    : noticePage(request, job, 'UNREACHABLE', job.order.returnUrl)
}

const mayBePaid = (job: Job): boolean => !isFinal(job.status) && job.expiresAt > Date.now()

/** A job that its PSP does not know yet is announced now: the customer is here. */
const announceNow = async (env: Env, job: Job): Promise<Job> => {
  if (job.announcement.is !== 'due') return job
  const answer = await announceAgain(env, job)
  return (await callJob(env, job.id, (stub) => stub.announced(answer))) ?? job
}
