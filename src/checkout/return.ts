import { type State } from '../job/core/state.ts'
import { payUrl } from '../job/core/show.ts'
import { ok } from '../contract/result.ts'
import { notAhead, seeOther, isPrefetch } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { waitingPage } from './notices.tsx'
import { askJob, readJob } from '../job/call-job.ts'
import type { AskReason } from '../job/questions.ts'
import { findJob } from './find-job.ts'
import { shopOf } from './shop.ts'

/** How often the page that waits for an outcome comes back, and the seconds between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The status is pulled and recorded.
 * While the PSP still has none, a page waits some seconds and looks again (`?look=2` …); then the
 * shop is next, in any case. Money that is under way for days is not waited for. With
 * `?cancelled=1` the PSP sends back a customer who gave up: a payment that is still open is
 * stopped. A HEAD is answered by what is known. A prefetch changes nothing and is told nothing.
 * Neither of the two is a customer who came back.
 */
export const comeBack: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  if (isPrefetch(request)) return notAhead()
  const { searchParams } = new URL(request.url)
  const look = lookOf(searchParams)
  const reason = reasonOf(searchParams, look)
  const visit = await findJob(request, env, { id: params.id, to: 'return' }, (id) =>
    isHead ? readJob(env, id) : jobAfter(env, id, reason),
  )
  if (!visit.ok) return ok(visit.error)
  const job = visit.value
  if (job.standing.is === 'unannounced') return seeOther(payUrl(job))
  const shop = await shopOf(env, job)
  const isOver = job.standing.is !== 'open' || (!isHead && (reason === 'gave-up' || look >= LOOKS))
  if (isOver) return seeOther(shop.back)
  const again = `/return/${job.link}?look=${look + 1}`
  return ok(await waitingPage(request, job, shop, { again, after: LOOK_AFTER }))
}

/** The job after a look at the PSP, or null when there is none of that id. */
async function jobAfter(env: Env, id: string, reason: AskReason): Promise<State | null> {
  return (await askJob(env, id, reason))?.job ?? null
}

/** Whatever is no number of a look is the first. */
function lookOf(parameters: URLSearchParams): number {
  const look = Number(parameters.get('look'))
  return Number.isInteger(look) ? Math.max(look, 1) : 1
}

/**
 * The first look is the customer's return; those of the page that waits are the hub's own status
 * pulls.
 */
function reasonOf(parameters: URLSearchParams, look: number): AskReason {
  return parameters.has('cancelled') ? 'gave-up' : look === 1 ? 'back' : 'wait'
}
