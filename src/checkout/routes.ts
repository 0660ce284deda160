import { type Result, refuse, ok } from '../contract/result.ts'
import { parseJobLink } from '../contract/ids.ts'
import { networksOf, lookUpId } from '../platform/http/rate-limit.ts'
import { tooManyPage, unknownPage, unreachablePage, connectingPage, waitingPage } from './notices.tsx'
import type { State } from '../job/core/state.ts'
import { isNavigation, isPrefetch, notAhead, seeOther } from '../platform/http/respond.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import { within } from '../platform/deadline.ts'
import { announceJob, readJob, askJob } from '../job/call-job.ts'
import { shopOf } from './shop.ts'
import { jobPage } from './job-page.tsx'
import { mayBePaid } from './standing.ts'
import { payUrl } from '../job/core/show.ts'
import type { AskReason } from '../job/asking.ts'
import { receiptEvents } from './events.ts'

/** How long (ms) a customer waits for the PSP's page before a page says so. Most are quicker. */
const SHOW_AFTER = 400

/**
 * `GET /pay/{id}`, the `payUrl`: on to the PSP's page while there is something to pay, else how the
 * job stands. A job that its PSP does not know yet is announced now. While that takes its time, a
 * page says so, and asks for `?wait=1`, which waits to the end. Only a customer makes the hub
 * announce the payment: a HEAD and a prefetch do not.
 */
const pay: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
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
  const after = announceJob(env, id, 'customer')
  return isPatient ? after : within(SHOW_AFTER, after)
}

/** How often the page that waits for an outcome comes back, and the seconds between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The PSP is asked and its answer
 * recorded. While the PSP still has none, a page waits some seconds and looks again (`?look=2` …);
 * then the shop is next, in any case. Money that is under way for days is not waited for. With
 * `?cancelled=1` the PSP sends back a customer who gave up: a payment that is still open is
 * stopped, unless another page loads the address as a part of itself. A HEAD is answered by what is
 * known. A prefetch changes nothing and is told nothing. Neither of the two is a customer who came
 * back.
 */
const comeBack: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  if (isPrefetch(request)) return notAhead()
  const { searchParams } = new URL(request.url)
  const look = lookOf(searchParams)
  const gaveUp = searchParams.has('cancelled') && isNavigation(request)
  const reason = gaveUp ? 'gave-up' : look === 1 ? 'back' : 'wait'
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

async function jobAfter(env: Env, id: string, reason: AskReason): Promise<State | null> {
  return (await askJob(env, id, reason))?.job ?? null
}

function lookOf(parameters: URLSearchParams): number {
  const look = Number(parameters.get('look'))
  return Number.isInteger(look) ? Math.max(look, 1) : 1
}

const receipt: Handler<{ id: string }> = async (request, { env, params }) => {
  const visit = await findJob(request, env, { id: params.id, to: 'pay' }, (id) => readJob(env, id))
  if (!visit.ok) return ok(visit.error)
  const job = visit.value
  return ok(await jobPage(request, job, await shopOf(env, job), 'receipt'))
}

export const checkout = routes((table) =>
  table
    .get('/pay/:id', pay)
    .get('/return/:id', comeBack)
    .get('/receipt/:id', receipt)
    .get('/receipt/:id/events', receiptEvents),
)

/** The job of a customer's link; the page to show where there is none, or after too many. */
async function findJob(
  request: Request,
  env: Env,
  link: { id: string; to: 'pay' | 'return' },
  find: (id: string) => Promise<State | null>,
): Promise<Result<State, Response>> {
  const id = parseJobLink(link.id)
  const visit = { id: link.id.toLowerCase(), to: link.to, from: networksOf(request) }
  const job = id && (await lookUpId(env, visit, () => find(id)))
  if (job && job !== 'too-many') return ok(job)
  return refuse(await (job ? tooManyPage(request) : unknownPage(request)))
}
