import { type Result, refuse, ok } from '../contract/result.ts'
import { parseJobLink } from '../contract/ids.ts'
import { networksOf, lookUpId } from '../platform/http/rate-limit.ts'
import { cancelPage, connectingPage, refusalPage, unreachablePage, waitingPage } from './notices.tsx'
import type { State } from '../job/core/state.ts'
import { isPrefetch, notAhead, seeOther } from '../platform/http/respond.ts'
import { type Handler, routes, unexpected } from '../platform/http/routes.ts'
import { within } from '../platform/deadline.ts'
import { announceJob, readJob, askJob } from '../job/call-job.ts'
import { returnLimit } from '../job/link.ts'
import { shopOf } from './shop.ts'
import { jobPage } from './job-page.tsx'
import { mayBePaid } from './standing.ts'
import { payUrl } from '../job/core/show.ts'
import { noPayment, receiptEvents, tooMany } from './events.ts'

/** How long (ms) a customer waits for the PSP before a page says so. Most PSPs are quicker. */
const SHOW_AFTER = 400

/**
 * `GET /pay/{id}`, the `payUrl`: redirects to the PSP's page while there is something to pay, and
 * otherwise shows how the job stands. If no PSP knows the payment yet, announces it first. If that
 * takes long, a page says so and loads `?wait=1`, which waits to the end. A HEAD and a prefetch
 * announce nothing, because no customer is there.
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
  if (isPayable && payment?.way === 'page') return seeOther(payment.checkoutUrl)
  const shop = await shopOf(env, found)
  if (job === null) return ok(await connectingPage(request, found, shop, `/pay/${found.link}?wait=1`))
  return ok(isPayable ? await unreachablePage(request, job, shop) : await jobPage(request, job, shop, 'pay'))
}

/**
 * Announces a job. The announcement goes on if the customer leaves, and simultaneous requests share it.
 * Returns null while it is under way, unless the customer is patient; also for a purged job, which the
 * next request finds out.
 */
async function announced(env: Env, id: string, isPatient: boolean): Promise<State | null> {
  const after = announceJob(env, id, 'customer')
  return isPatient ? after : within(SHOW_AFTER, after)
}

/** How many times the waiting page loads again, and the seconds in between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The hub asks the PSP and records its
 * answer. While the payment is open, a page waits some seconds and asks again (`?look=2` …), at most
 * four times; then the customer goes on to the shop. The page does not wait for money that takes
 * days. The PSP adds `?cancelled=1` if the customer gave up: the hub then stops an open payment,
 * unless another page only embedded the address. If the browser does not say which, it may be a
 * robot, and the hub asks. For a HEAD the hub only reads the job. A prefetch learns nothing. Neither
 * counts as a return.
 */
const comeBack: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  if (isPrefetch(request)) return notAhead()
  const { searchParams } = new URL(request.url)
  const look = lookOf(searchParams)
  const dest = request.headers.get('sec-fetch-dest') ?? (searchParams.has('sure') ? 'document' : null)
  const gaveUp = searchParams.has('cancelled') && dest === 'document'
  const reason = gaveUp ? 'gave-up' : look === 1 ? 'back' : 'wait'
  const visit = await findJob(request, env, { id: params.id, to: 'return' }, async (id) =>
    isHead ? readJob(env, id) : ((await askJob(env, id, reason))?.job ?? null),
  )
  if (!visit.ok) return ok(visit.error)
  const job = visit.value
  if (job.standing.is === 'unannounced') return seeOther(payUrl(job))
  const shop = await shopOf(env, job)
  if (searchParams.has('cancelled') && dest === null && !isHead && job.standing.is === 'open')
    return ok(await cancelPage(request, job, shop, `/return/${job.link}`))
  const isOver = job.standing.is !== 'open' || (!isHead && (reason === 'gave-up' || look >= LOOKS))
  if (isOver) return seeOther(shop.back ?? payUrl(job))
  const again = `/return/${job.link}?look=${look + 1}`
  return ok(await waitingPage(request, job, shop, { again, after: LOOK_AFTER }))
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
    .get('/pay/:id', orPage(pay))
    .get('/return/:id', orPage(comeBack))
    .get('/receipt/:id', orPage(receipt))
    .get('/receipt/:id/events', receiptEvents),
)

/** Shows a customer a page if the hub itself fails, and logs the fault. */
function orPage(handler: Handler<{ id: string }>): Handler<{ id: string }> {
  return async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      return ok(await refusalPage(request, 'UNAVAILABLE', unexpected(error)))
    }
  }
}

/** Returns the job of a customer's link, or the page for an unknown job or too many requests. */
async function findJob(
  request: Request,
  env: Env,
  link: { id: string; to: 'pay' | 'return' },
  find: (id: string) => Promise<State | null>,
): Promise<Result<State, Response>> {
  const id = parseJobLink(link.id)
  const visit = { id: link.id.toLowerCase(), purpose: link.to, from: networksOf(request) }
  const limit = link.to === 'return' ? returnLimit(env) : undefined
  const job = id && (await lookUpId(env, visit, () => find(id), limit))
  if (job && job !== 'too-many') return ok(job)
  const page = job ? refusalPage(request, 'TOO_MANY', tooMany) : refusalPage(request, 'UNKNOWN', noPayment)
  return refuse(await page)
}
