import type { State } from './core/state.ts'
import { log } from '../platform/log.ts'
import { callJob } from './call-job.ts'
import { type JobSnapshot, snapshotOf, LONGEST_WATCH, MOST_WATCHERS } from './job-snapshot.ts'
import { type Link, type WatchedJob, openLink } from './watch-link.ts'
import { unlessAborted } from '../platform/deadline.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { parseMicros } from '../contract/timestamp.ts'
import { type ServerEvent, eventStream } from '../platform/http/event-stream.ts'
import type { Refusal } from '../platform/http/refusal.ts'

/**
 * A watch of a job. `changes` yields a snapshot after each change that the watcher can see; a slow
 * watcher gets only the newest. It ends when the caller's signal aborts, after eight hours, when
 * the job is purged, and when its object is out of reach. `isLive` is false if the object hung up
 * at once: `changes` is empty then.
 */
export type JobWatch = {
  is: 'watching'
  now: JobSnapshot
  changes: AsyncIterable<JobSnapshot>
  isLive: boolean
}

/**
 * Watches a job until the signal aborts, which is up to the caller. The Worker waits, because a
 * waiting object would be billed for all that time. Null for an unknown id or another shop's job;
 * `too-many` when the job has enough watchers. Throws when the signal aborts before the object
 * answers.
 */
export async function watchJob(
  env: Env,
  job: WatchedJob,
  signal: AbortSignal,
): Promise<JobWatch | { is: 'too-many' } | null> {
  const link = await openLink(env, job, signal)
  if (link === null || link.is === 'too-many') return link
  if (link.is === 'unwatchable') return unlessAborted(signal, lookOnce(env, job))
  return { is: 'watching', now: link.now, changes: follow(env, job, link, signal), isLive: true }
}

/** Refuses one watcher more than `limit`. After a minute another may have left; a plain read is always served. */
export function tooManyWatchers(limit: number): Refusal {
  const detail = `This payment has ${limit} watchers, and takes no more. A read that does not wait is served.`
  return { code: 'too-many-watchers', detail, retryAfter: 60 }
}

async function lookOnce(env: Env, { id, pos }: WatchedJob): Promise<JobWatch | null> {
  const job = await callJob<State | null>(env, id, async (stub) => stub.read())
  if (!job || (pos !== undefined && pos !== job.pos)) return null
  return { is: 'watching', now: snapshotOf(job), changes: nothing(), isLive: false }
}

// oxlint-disable-next-line require-yield -- nothing comes
async function* nothing(): AsyncGenerator<JobSnapshot, void> {}

/**
 * Follows a job over one socket after another, because a deploy cuts them off. Each snapshot is
 * complete, so nothing is lost between two sockets.
 */
function follow(
  env: Env,
  job: WatchedJob,
  first: Link,
  signal: AbortSignal,
): AsyncGenerator<JobSnapshot, void> {
  let link = first
  const stopped = new AbortController()
  const stop = (): void => {
    clearTimeout(end)
    stopped.abort()
    link.close()
  }
  const end = setTimeout(stop, LONGEST_WATCH)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })

  async function* changes(): AsyncGenerator<JobSnapshot, void> {
    let shown = seenOf(first.now, job)
    try {
      for (;;) {
        let snapshot = await link.next()
        if (snapshot === 'cut') {
          const again = await reopen(env, job, stopped.signal)
          if (again === null) return
          link = again
          snapshot = again.now
        }
        if (snapshot === 'gone' || stopped.signal.aborted) return
        const seen = seenOf(snapshot, job)
        if (seen === shown) continue
        shown = seen
        yield snapshot
      }
    } finally {
      stop()
    }
  }
  return changes()
}

/**
 * Returns the part of a snapshot that the watcher sees: a point of sale only the job, a customer's
 * page also refunds on their way.
 */
function seenOf(snapshot: JobSnapshot, { pos }: WatchedJob): string {
  return JSON.stringify(pos === undefined ? snapshot : snapshot.job)
}

/** The pauses (ms) before the tries to reopen a watch that was cut off. Then it ends. */
const PAUSES = [100, 500, 1000, 2000, 5000, 10_000, 20_000]

/** Opens a watch again. Null when the watch was stopped, or there is no job to watch any more. */
async function reopen(env: Env, job: WatchedJob, stopped: AbortSignal): Promise<Link | null> {
  let failure: unknown
  for (const pause of PAUSES) {
    await sleep(pause * (0.5 + Math.random()), stopped)
    if (stopped.aborted) return null
    try {
      const link = await openLink(env, job, stopped)
      return link?.is === 'open' ? link : null
    } catch (error) {
      if (stopped.aborted) return null
      failure = error
    }
  }
  log.fault('job.watch-lost', failure, { job: job.id, pos: job.pos })
  return null
}

/** Sleeps for a time (ms), or until the signal aborts. */
function sleep(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

/**
 * Answers with the stream of a job's events, until `mayGoOn` is false. Refuses it if the job has enough
 * watchers. Null for an unknown id or another shop's job.
 */
export async function streamJob(
  request: Request,
  env: Env,
  job: WatchedJob,
  mayGoOn: () => Promise<boolean>,
): Promise<Result<Response, Refusal> | null> {
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort())
  const watch = await watchJob(env, job, stop.signal)
  if (watch === null) return null
  if (watch.is === 'too-many') return refuse(tooManyWatchers(MOST_WATCHERS))
  const end = { stop: () => stop.abort(), mayGoOn, isShort: !watch.isLive }
  return ok(eventStream(jobEvents(watch, lastEventOf(request)), end))
}

/**
 * Yields the steps of a job after one of them (its time in µs, 0 for all): the present ones at
 * once, and each new one as it comes. Yields the whole job at the beginning, and after the steps of
 * each change, so that a client that reconnects knows how it stands.
 */
async function* jobEvents(
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
function lastEventOf({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? ''
  return /^\d{1,16}$/.test(id) ? Number(id) : 0
}
