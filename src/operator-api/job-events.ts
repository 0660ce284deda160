import { MINUTE } from '../contract/timestamp.ts'
import { ok, refuse } from '../contract/result.ts'
import { eventStream } from '../platform/http/event-stream.ts'
import { readJob } from '../job/call-job.ts'
import { jobEvents, lastEventOf } from '../job/job-events.ts'
import { watchJob } from '../job/watch-job.ts'
import { MOST_WATCHERS } from '../job/watch-limits.ts'
import { authenticateOperator } from './authenticate.ts'
import { noJob } from './jobs.ts'
import type { OperatorHandler } from './handler.ts'

/** How often (ms) it is looked whether the operator is still known: a token may be revoked meanwhile. */
const RECOGNISE_EVERY = MINUTE

/**
 * `GET /operator/v1/jobs/{id}/events`: the events of a job as its point of sale may have them, for up to eight hours. It is watched for its point of
 * sale, so that customers who watch leave room for the operator.
 */
export const watchJobEvents: OperatorHandler<'watchJob'> = async ({ request, env, params }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort())
  const watch = await watchJob(env, { id: job.id, pos: job.pos }, stop.signal)
  if (watch === null) return noJob
  if (watch.is === 'too-many')
    return refuse({ code: 'too-many-watchers', limit: MOST_WATCHERS, retryAfter: 60 })
  return ok(
    eventStream(jobEvents(watch, lastEventOf(request)), {
      stop: () => stop.abort(),
      mayGoOn: whileKnown(request, env),
      isShort: !watch.isLive,
    }),
  )
}

function whileKnown(request: Request, env: Env): () => Promise<boolean> {
  let checkedAt = Date.now()
  return async () => {
    if (Date.now() < checkedAt + RECOGNISE_EVERY) return true
    checkedAt = Date.now()
    try {
      return (await authenticateOperator(request, env)).ok
    } catch {
      // Where a part of the platform is down nobody is turned away.
      return true
    }
  }
}
