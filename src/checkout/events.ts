import { parseJobLink } from '../contract/ids.ts'
import { FIGURES, figuresOfSteps, recordBy } from '../contract/money-figures.ts'
import { ok, refuse } from '../contract/result.ts'
import { networksOf, UNKNOWN_QUOTAS, lookUpId } from '../platform/http/rate-limit.ts'
import { type ServerEvent, eventStream } from '../platform/http/event-stream.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { Handler } from '../platform/http/routes.ts'
import { type JobSnapshot, MOST_CUSTOMERS } from '../job/job-snapshot.ts'
import { type JobWatch, tooManyWatchers, watchJob } from '../job/watch-job.ts'

/**
 * `GET /receipt/{id}/events`: the payment's status as server-sent events for the customer's page.
 * Anyone with the link may read them, so they reveal no more than the page: no order, no person, no
 * address.
 */
export const receiptEvents: Handler<{ id: string }> = async (request, { env, params, isHead }) => {
  const id = parseJobLink(params.id)
  if (id === null) return refuse(noPayment)
  const from = networksOf(request)
  const visit = { id: params.id.toLowerCase(), purpose: 'pay', from }
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort())
  const watch = await lookUpId(env, visit, () => watchJob(env, { id, from }, stop.signal))
  if (watch === 'too-many') return refuse(tooMany)
  if (watch === null) return refuse(noPayment)
  if (watch.is === 'too-many') return refuse(tooManyWatchers(MOST_CUSTOMERS))
  if (isHead) stop.abort()
  const end = { stop: () => stop.abort(), isShort: !watch.isLive }
  return ok(eventStream(statusEvents(watch), end))
}

export const noPayment: Refusal = { code: 'job-not-found', detail: 'There is no payment with this id.' }
export const tooMany: Refusal = { code: 'rate-limited', ...UNKNOWN_QUOTAS.unknownJobsPerAddress }

async function* statusEvents({ now, changes }: JobWatch): AsyncGenerator<ServerEvent, void> {
  let shown = statusOf(now)
  yield { event: 'status', data: shown }
  for await (const snapshot of changes) {
    const data = statusOf(snapshot)
    if (data === shown) continue
    shown = data
    yield { event: 'status', data }
  }
}

/** Returns the parts of a job whose changes customers see, for pages to compare. */
export function statusOf({ job, stage, refunding, isFinal }: JobSnapshot): string {
  return JSON.stringify({
    status: job.status,
    isTwice: job['alsoPaidBy'] === undefined ? undefined : true,
    stage,
    ...recordBy('api', figuresOfSteps(), (name) => job[FIGURES[name].api]),
    amountRefunding: refunding,
    final: isFinal,
  })
}
