import { parseJobId } from '../contract/ids.ts'
import { refuse } from '../contract/result.ts'
import { readJob } from '../job/call-job.ts'
import { streamJob, tooManyWatchers, watchJob } from '../job/watch-job.ts'
import type { State } from '../job/core/state.ts'
import { represent } from '../job/core/show.ts'
import { unlessAborted } from '../platform/deadline.ts'
import { hasContent, waitOf, wantsEvents } from '../platform/http/headers.ts'
import type { Profile } from '../registry/profile.ts'
import { isKnownStill } from './authenticate.ts'
import { type PosHandler, etagOf, signedUnlessKnown } from './handler.ts'
import { MOST_WATCHERS } from '../job/job-snapshot.ts'
import type { JobRow } from '../job/core/row.ts'
import { formatAmount } from '../contract/money.ts'
import { formatMicros } from '../contract/timestamp.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import type { SearchKey } from '../job-index/search.ts'
import type { ListedPaymentJob } from '../contract/payment-job.ts'
import { writePosition } from '../contract/queries.ts'
import { reply } from '../platform/http/operations.ts'
import { dueIn } from '../job/core/money.ts'

/** Returns a job of this point of sale. Null for another shop's, whose existence stays secret. */
export async function ownJob(env: Env, id: string, { pos }: Profile): Promise<State | null> {
  const job = await readJob(env, id)
  return job?.pos === pos ? job : null
}

export const noJob = refuse({ code: 'job-not-found', detail: 'There is no payment job with this id.' })

/** A job after the wait. `isLive` is false if its object could not be watched. */
type Awaited = { is: 'job'; body: string; isLive: boolean }

/**
 * Waits until a job differs from the client's `If-None-Match`, but not longer than `seconds`. Without
 * `If-None-Match` it waits for the next change, unless the status is final. Throws a retryable error
 * if the job's object does not answer in that time.
 */
async function awaitJob(
  request: Request,
  env: Env,
  { id, pos }: { id: string; pos: string },
  seconds: number,
): Promise<Awaited | { is: 'too-many' } | null> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), seconds * 1000)
  request.signal.addEventListener('abort', () => stop.abort())
  try {
    const watch = await watchJob(env, { id, pos }, stop.signal)
    if (watch === null || watch.is === 'too-many') return watch
    const isNews = async (body: string): Promise<boolean> => !hasContent(request, await etagOf(body))
    const answer = (body: string): Awaited => ({ is: 'job', body, isLive: watch.isLive })
    let body = JSON.stringify(watch.now.job)
    const isConditional = request.headers.has('if-none-match')
    if (isConditional ? await isNews(body) : watch.now.isFinal) return answer(body)
    for await (const { job } of watch.changes) {
      body = JSON.stringify(job)
      if (await isNews(body)) return answer(body)
    }
    if (stop.signal.aborted || !watch.isLive) return answer(body)
    // The watch was cut off for good, so only a read shows how the job stands now.
    const job = await unlessAborted(stop.signal, readJob(env, id))
    return job && answer(JSON.stringify(represent(job)))
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

type Retrieve = PosHandler<'getPaymentJob'>

/** Reads a job. A HEAD never waits. An `Accept` that names events wins over `Prefer: wait`. */
export const getPaymentJob: Retrieve = (asked, profile) => {
  if (asked.isHead) return retrieve(asked, profile)
  if (wantsEvents(asked.request)) return stream(asked, profile)
  return waitOf(asked.request) === null ? retrieve(asked, profile) : waitFor(asked, profile)
}

const retrieve: Retrieve = async ({ request, env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job ? signedUnlessKnown(env, profile, request, JSON.stringify(represent(job))) : noJob
}

const waitFor: Retrieve = async ({ request, env, params }, profile) => {
  const id = parseJobId(params.id)
  const seconds = waitOf(request) ?? 0
  const found = id === null ? null : await awaitJob(request, env, { id, pos: profile.pos }, seconds)
  if (found === null) return noJob
  if (found.is === 'too-many') return refuse(tooManyWatchers(MOST_WATCHERS))
  const applied = found.isLive ? { 'preference-applied': `wait=${seconds}` } : {}
  return signedUnlessKnown(env, profile, request, found.body, applied)
}

const stream: Retrieve = async ({ request, env, params }, profile) => {
  const id = parseJobId(params.id)
  if (id === null) return noJob
  const job = { id, pos: profile.pos }
  return (await streamJob(request, env, job, () => isKnownStill(env, profile))) ?? noJob
}

/** How many seconds a change usually takes to reach the index: its queue waits two for more rows. */
const LAG_SECONDS = 5

export const listPaymentJobs: PosHandler<'listPaymentJobs'> = async ({ env, query }, profile) => {
  const { order_id: orderId, from = 0, to = Number.MAX_SAFE_INTEGER, status, limit } = query
  if (from > to) return invalidField('from', 'must not be later than `to`')
  const { rows, next } = await findJobs(env, {
    keys: keysOf(query),
    pos: profile.pos,
    filter: { statuses: status && [status], orderId },
    from,
    to,
    after: query.after ?? null,
    limit,
  })
  return reply({ paymentJobs: rows.map(listed), next: next && writePosition(next), lagSeconds: LAG_SECONDS })
}

type OrderQuery = { order_number?: string | undefined; order_id?: string | undefined }

function keysOf({ order_number: number, order_id: id }: OrderQuery): SearchKey[] {
  if (number !== undefined) return [{ is: 'orderNumber', text: number }]
  return id === undefined ? [] : [{ is: 'orderId', text: id }]
}

function listed(row: JobRow): ListedPaymentJob {
  return {
    paymentJob: row.id,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    created: formatMicros(row.created),
    lastUpdate: formatMicros(row.updated),
    currency: row.currency,
    amount: formatAmount(row.amount, row.currency),
    amountDue: formatAmount(dueIn(row), row.currency),
    amountPaid: formatAmount(row.paid, row.currency),
    paymentMethod: row.paymentMethod,
    status: row.status,
  }
}
