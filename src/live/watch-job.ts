import type { State } from '../job/core/state.ts'
import { log } from '../platform/log.ts'
import { callJob } from '../job/call-job.ts'
import { type JobSnapshot, snapshotOf, LONGEST_WATCH } from '../job/job-snapshot.ts'
import { type Link, type WatchedJob, openLink } from './watch-link.ts'
import { unlessAborted } from '../platform/deadline.ts'

/**
 * A job that is watched. `changes` gives a snapshot after each change that the watcher can see; who
 * is slow gets the newest alone. They end when the caller's signal says so, after eight hours, when
 * the job is purged, and when its object cannot be reached any more. `isLive` is false where the
 * object hung up before it told anything: then there are none.
 */
export type JobWatch = {
  is: 'watching'
  now: JobSnapshot
  changes: AsyncIterable<JobSnapshot>
  isLive: boolean
}

/**
 * Watches a job until the signal aborts, which the caller must see to. The Worker waits, and never
 * the object: that would be billed for all the time. Null for an unknown id, and for another's job;
 * `too-many` when it has enough watchers. Throws when the signal aborts before the object has
 * answered.
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

async function lookOnce(env: Env, { id, pos }: WatchedJob): Promise<JobWatch | null> {
  const job = await callJob<State | null>(env, id, async (stub) => stub.read())
  if (!job || (pos !== undefined && pos !== job.pos)) return null
  return { is: 'watching', now: snapshotOf(job), changes: nothing(), isLive: false }
}

// oxlint-disable-next-line require-yield -- nothing comes
async function* nothing(): AsyncGenerator<JobSnapshot, void> {}

/**
 * Goes on over one socket after another: a deploy cuts them off. A snapshot is the whole truth, so
 * nothing is lost between two.
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
 * What of a snapshot is seen: a point of sale sees the job alone, and a customer's page tells what
 * is on its way besides.
 */
function seenOf(snapshot: JobSnapshot, { pos }: WatchedJob): string {
  return JSON.stringify(pos === undefined ? snapshot : snapshot.job)
}

/**
 * How long (ms) after a watch was cut off it is taken up again, and after each try that failed.
 * Then it ends.
 */
const PAUSES = [100, 500, 1000, 2000, 5000, 10_000, 20_000]

/** Null when the watch is stopped, or when there is nothing to watch any more. */
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
