import { parseMicros } from '../contract/timestamp.ts'
import type { ServerEvent } from '../platform/http/event-stream.ts'
import type { JobSnapshot } from '../job/job-snapshot.ts'
import type { JobWatch } from './watch-job.ts'

/**
 * Yields the steps of a job after one of them (its time in µs, 0 for all): the present ones at
 * once, and each new one as it comes. Yields the whole job at the beginning, and after the steps of
 * each change, so that a client that reconnects knows how it stands.
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

/** Returns the time (µs) of the last step that a client has, from `Last-Event-ID`; 0 for none. */
export function lastEventOf({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? ''
  return /^\d{1,16}$/.test(id) ? Number(id) : 0
}
