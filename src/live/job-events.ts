import { parseMicros } from '../contract/timestamp.ts'
import type { ServerEvent } from '../platform/http/event-stream.ts'
import type { JobSnapshot } from '../job/job-snapshot.ts'
import type { JobWatch } from './watch-job.ts'

/**
 * The steps of a job that come after one (its time in µs, 0 for all): those that are there at once,
 * and each new one as it comes. After the steps of a change comes the whole job, and at the
 * beginning too, so that who comes back knows how it stands.
 */
export async function* jobEvents(
  { now, changes }: Pick<JobWatch, 'now' | 'changes'>,
  after: number,
): AsyncGenerator<ServerEvent, void> {
  let last = after
  const eventsOf = function* ({ job }: JobSnapshot): Generator<ServerEvent, void> {
    for (const step of job.payments.steps) {
      const at = parseMicros(step.creationDate)
      if (at === null || at <= last) continue
      last = at
      yield { event: 'step', id: String(at), data: JSON.stringify(step) }
    }
    yield { event: 'paymentjob', data: JSON.stringify(job) }
  }
  yield* eventsOf(now)
  for await (const snapshot of changes) yield* eventsOf(snapshot)
}

/**
 * The time (µs) of the last step that a client has seen, as its `Last-Event-ID` says; 0 for a new
 * one.
 */
export function lastEventOf({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? ''
  return /^\d{1,16}$/.test(id) ? Number(id) : 0
}
