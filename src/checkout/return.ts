import type { IRequest } from 'itty-router'
import { type Job, isFinal } from '../domain/job.ts'
import { payUrl } from '../domain/representation.ts'
import type { Answer } from '../http/routes.ts'
import { seeOther } from '../http/redirect.ts'
import { callJob } from '../payment-job/call-job.ts'
import { openPsp } from '../payment-job/open-psp.ts'
import { jobOf } from './job-of.ts'
import { unknownPage, waitingPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/** How often the page that waits for an outcome comes back, and the seconds between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The status is pulled and recorded. While the PSP still has
 * none, a page waits some seconds and looks again (`?look=2` …); then the shop is next, in any case. With `?cancelled=1`
 * the PSP sends a customer who gave up: a payment that is still open is stopped.
 */
export const comeBack = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const job = await jobOf(request, env)
  if (!job) return unknownPage(request)
  if (job.announcement.is === 'due') return seeOther(payUrl(job))
  const { searchParams } = new URL(request.url)
  const look = lookOf(searchParams)
  const gaveUp = searchParams.has('cancelled')
  const [seen, location] = await Promise.all([recordLook(env, job, look, gaveUp), returnLocation(env, job)])
  if (isFinal(seen.status) || gaveUp || look >= LOOKS) return seeOther(location)
  const again = `/return/${job.id}?look=${look + 1}`
  return waitingPage(request, seen, { again, after: LOOK_AFTER, location })
}

const lookOf = (parameters: URLSearchParams): number => {
  const look = Number(parameters.get('look') ?? 1)
  return Number.isInteger(look) && look >= 1 ? look : 1
}

/** The first look is the customer's return; those of the page that waits are the hub's own status pulls. */
const recordLook = async (env: Env, job: Job, look: number, gaveUp: boolean): Promise<Job> => {
  if (job.announcement.is !== 'announced' || hasReturned(job)) return job
  const { reference } = job.announcement
  const psp = await openPsp(env, job)
  const pulled = await psp.pull(reference, job.order.currency)
  const open = pulled.is === 'observed' && pulled.status === 'PENDING'
  const seen = open && gaveUp && psp.stop ? await psp.stop(reference, job.order.currency) : pulled
  const action = look === 1 ? 'Return' : 'Statuspull'
  return (await callJob(env, job.id, (stub) => stub.record(action, seen))) ?? job
}

const hasReturned = (job: Job): boolean =>
  job.steps.some((step) => step.action === 'Return' && step.status === 'SUCCESS')
