import type { IRequest } from 'itty-router'
import type { Job } from '../domain/job.ts'
import { payUrl } from '../domain/representation.ts'
import type { Answer } from '../http/door.ts'
import { seeOther } from '../http/redirect.ts'
import { withJob } from '../payment-job/jobs.ts'
import { openPsp } from '../payment-job/open-psp.ts'
import { jobOf } from './job-of.ts'
import { unknownPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/** `GET /return/{id}`: the customer comes back from the PSP. The status is pulled and recorded, and the shop is next. */
export const comeBack = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const job = await jobOf(request, env)
  if (!job) return unknownPage(request)
  if (job.announcement.is === 'due') return seeOther(payUrl(job))
  const [, location] = await Promise.all([recordReturn(env, job), returnLocation(env, job)])
  return seeOther(location)
}

const recordReturn = async (env: Env, job: Job): Promise<void> => {
  const known =
    job.status === 'SUCCESS' &&
    job.steps.some((step) => step.action === 'Return' && step.status === 'SUCCESS')
  if (known || job.announcement.is !== 'announced') return
  const psp = await openPsp(env, job)
  const seen = await psp.pull(job.announcement.reference, job.order.currency)
  await withJob(env, job.id, (stub) => stub.record('Return', seen))
}
