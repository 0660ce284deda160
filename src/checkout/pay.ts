import type { State } from '../job/core/state.ts'
import { ok } from '../contract/result.ts'
import { notAhead, seeOther, isPrefetch } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { within } from '../platform/deadline.ts'
import { announceJob, readJob } from '../job/call-job.ts'
import { unreachablePage, connectingPage } from './notices.tsx'
import { findJob } from './find-job.ts'
import { jobPage } from './job-page.tsx'
import { shopOf } from './shop.ts'
import { mayBePaid } from './standing.ts'

/**
 * How long (ms) a customer waits for the PSP's page before a page says so. Most PSPs answer sooner.
 */
const SHOW_AFTER = 400

/**
 * `GET /pay/{id}`, the `payUrl`: on to the PSP's page while there is something to pay, else how the
 * job stands. A job that its PSP does not know yet is announced now. While that takes its time, a
 * page says so, and asks for `?wait=1`, which waits to the end. Only a customer makes the hub
 * announce the payment: a HEAD and a prefetch do not.
 */
export const pay: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  if (isPrefetch(request)) return notAhead()
  const visit = await findJob(request, env, { id: params.id, to: 'pay' }, (id) => readJob(env, id))
  if (!visit.ok) return ok(visit.error)
  const found = visit.value
  const isDue = mayBePaid(found, Date.now()) && found.payments.length === 0
  const isPatient = new URL(request.url).searchParams.has('wait')
  const job = isDue && !isHead ? await announced(env, found.id, isPatient) : found
  const isPayable = job !== null && mayBePaid(job, Date.now())
  const [payment] = job?.payments ?? []
  if (isPayable && payment) return seeOther(payment.checkoutUrl)
  const shop = await shopOf(env, found)
  if (job === null) return ok(await connectingPage(request, found, shop, `/pay/${found.link}?wait=1`))
  return ok(isPayable ? await unreachablePage(request, job, shop) : await jobPage(request, job, shop, 'pay'))
}

/**
 * A job after its announcement, which goes on when the customer has gone, and which two requests
 * share. Null while it is under way, for a customer who is to see that; and where the job is purged
 * by then, as the next look will tell.
 */
async function announced(env: Env, id: string, isPatient: boolean): Promise<State | null> {
  const after = announceJob(env, id)
  return isPatient ? after : within(SHOW_AFTER, after)
}
