import type { IRequest } from 'itty-router'
import { type Job, isFinal } from '../domain/job.ts'
import { payUrl } from '../domain/representation.ts'
import type { Answer } from '../http/door.ts'
import { seeOther } from '../http/redirect.ts'
import { withJob } from '../payment-job/jobs.ts'
import { openPsp } from '../payment-job/open-psp.ts'
import { jobOf } from './job-of.ts'
import { unknownPage, waitingPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/** How often the page that waits for an outcome comes back, and the seconds between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The status is pulled and recorded. While the PSP still has
 * none, a page waits some seconds and looks again (`?look=2` …); then the shop is next, in any case.
 */
export const comeBack = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const job = await jobOf(request, env)
  if (!job) return unknownPage(request)
  if (job.announcement.is === 'due') return seeOther(payUrl(job))
  const look = lookOf(request)
  const [seen, location] = await Promise.all([recordLook(env, job, look), returnLocation(env, job)])
  if (isFinal(seen.status) || look >= LOOKS) return seeOther(location)
  const again = `/return/${job.id}?look=${look + 1}`
  return waitingPage(request, seen, { again, after: LOOK_AFTER, location })
}

const lookOf = (request: Request): number => {
  const look = Number(new URL(request.url).searchParams.get('look') ?? 1)
  return Number.isInteger(look) && look >= 1 ? look : 1
}

/** The first look is the customer's return; those of the page that waits are the hub's own status pulls. */
const recordLook = async (env: Env, job: Job, look: number): Promise<Job> => {
  if (job.announcement.is !== 'announced' || hasReturned(job)) return job
  const psp = await openPsp(env, job)
  const seen = await psp.pull(job.announcement.reference, job.order.currency)
  const action = look === 1 ? 'Return' : 'Statuspull'
  return (await withJob(env, job.id, (stub) => stub.record(action, seen))) ?? job
}

const hasReturned = (job: Job): boolean =>
  job.steps.some((step) => step.action === 'Return' && step.status === 'SUCCESS')
