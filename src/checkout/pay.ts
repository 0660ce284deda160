import { jobNow } from '../domain/job-clock.ts'
import { type Job, isFinal } from '../domain/job.ts'
import { parseJobId } from '../domain/job-id.ts'
import { ok } from '../domain/result.ts'
import { clientNetwork } from '../http/client-network.ts'
import { notAhead, seeOther } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { isPrefetch } from '../http/visit.ts'
import { announceNow } from '../payment-job/announce-now.ts'
import { readJob } from '../payment-job/call-job.ts'
import { visitJob } from '../payment-job/visit-job.ts'
import { noticePage, tooManyPage, unknownPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/**
 * `GET /pay/{id}`, the `payUrl`: on to the PSP's page while there is something to pay, else a notice. Only a customer makes the
 * hub announce the payment: a HEAD and a prefetch do not.
 */
export const pay: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  if (isPrefetch(request)) return notAhead()
  const id = parseJobId(params.id)
  if (id === null) return ok(await unknownPage(request))
  const found = await visitJob(env, { id, to: 'pay', from: clientNetwork(request) }, () => readJob(env, id))
  if (found === 'too-many') return ok(await tooManyPage(request))
  if (!found) return ok(await unknownPage(request))
  const job = mayBePaid(found) && !isHead ? await announcedJob(env, found) : found
  if (!mayBePaid(job)) {
    const notice = isFinal(job.status) || job.stage ? job.status : 'EXPIRED'
    return ok(await noticePage(request, job, notice, await returnLocation(env, job)))
  }
  return job.announcement.is === 'announced'
    ? seeOther(job.announcement.checkoutUrl)
    : ok(await noticePage(request, job, 'UNREACHABLE', job.order.returnUrl))
}

/** Not while money is under way or reserved: nobody is to pay twice. */
const mayBePaid = (job: Job): boolean =>
  !isFinal(job.status) && !job.stage && job.expiresAt > jobNow(job.clock, Date.now())

/** A job that its PSP does not know yet is announced now: the customer is here. */
const announcedJob = async (env: Env, job: Job): Promise<Job> =>
  job.announcement.is === 'due' ? ((await announceNow(env, job.id)) ?? job) : job
