import { represent } from '../job/rules/representation.ts'
import { ok, refuse } from '../contract/result.ts'
import { eventStream } from '../platform/http/event-stream.ts'
import { waitOf, wantsEvents } from '../platform/http/preferences.ts'
import { watchJob } from '../job/watch-job.ts'
import { MOST_WATCHERS } from '../job/watch-limits.ts'
import { parseJobId } from '../contract/job-id.ts'
import { whileKnown } from './authenticate.ts'
import type { PosHandler } from './handler.ts'
import { awaitJob } from './await-job.ts'
import { jobEvents, lastEventOf } from '../job/job-events.ts'
import { noJob, ownJob } from './own-job.ts'
import { signedUnlessKnown } from './signed.ts'

type Retrieve = PosHandler<'getPaymentJob'>

/**
 * `GET /v2/paymentjobs/{id}`: the job as it stands. With `Prefer: wait=N` it is answered when the job changes, and with
 * `Accept: text/event-stream` by an event for each step. A HEAD does not wait.
 */
export const retrievePaymentJob: Retrieve = (asked, profile) => {
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
  if (found.is === 'too-many') return tooManyWatchers
  const applied = found.isLive ? { 'preference-applied': `wait=${seconds}` } : {}
  return signedUnlessKnown(env, profile, request, found.body, applied)
}

const stream: Retrieve = async ({ request, env, params }, profile) => {
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
