import { represent } from '../job/rules/representation.ts'
import { ok, refuse } from '../platform/result.ts'
import { eventStream } from '../platform/http/event-stream.ts'
import { waitOf, wantsEvents } from '../platform/http/preferences.ts'
import { watchJob } from '../job/watch-job.ts'
import { MOST_WATCHERS } from '../job/watch-limits.ts'
import { parseJobId } from '../contract/job-id.ts'
import { type PosHandler, whileKnown } from './authenticate.ts'
import { awaitJob } from './await-job.ts'
import type { PaymentJob } from './contract/payment-job.ts'
import { jobEvents, lastEventOf } from '../job/job-events.ts'
import { noJob, ownJob } from './own-job.ts'
import { signedUnlessKnown } from './signed.ts'

/**
 * `GET /v2/paymentjobs/{id}`: the job as it stands. With `Prefer: wait=N` it is answered when the job changes, and with
 * `Accept: text/event-stream` by an event for each step. A HEAD does not wait.
 */
export const retrievePaymentJob: PosHandler<{ id: string }> = (request, context, profile) => {
  if (context.isHead) return retrieve(request, context, profile)
  if (wantsEvents(request)) return stream(request, context, profile)
  return waitOf(request) === null ? retrieve(request, context, profile) : waitFor(request, context, profile)
}

const retrieve: PosHandler<{ id: string }> = async (request, { env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job
    ? signedUnlessKnown(env, profile, request, JSON.stringify(represent(job) satisfies PaymentJob))
    : noJob
}

const waitFor: PosHandler<{ id: string }> = async (request, { env, params }, profile) => {
  const id = parseJobId(params.id)
  const seconds = waitOf(request) ?? 0
  const found = id === null ? null : await awaitJob(request, env, { id, pos: profile.pos }, seconds)
  if (found === null) return noJob
  if (found.is === 'too-many') return tooManyWatchers
  const applied = found.isLive ? { 'preference-applied': `wait=${seconds}` } : {}
  return signedUnlessKnown(env, profile, request, found.body, applied)
}

const stream: PosHandler<{ id: string }> = async (request, { env, params }, profile) => {
  const id = parseJobId(params.id)
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort())
  const watch = id === null ? null : await watchJob(env, { id, pos: profile.pos }, stop.signal)
  if (watch === null) return noJob
  if (watch.is === 'too-many') return tooManyWatchers
  return ok(
    eventStream(jobEvents(watch, lastEventOf(request)), {
      stop: () => stop.abort(),
      mayGoOn: whileKnown(request, env),
      isShort: !watch.isLive,
    }),
  )
}

/** By then another watcher may have gone; a plain read is served all the time. */
const tooManyWatchers = refuse({ code: 'too-many-watchers', limit: MOST_WATCHERS, retryAfter: 60 })
