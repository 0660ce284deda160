import { jobNow } from '../../contract/job-clock.ts'
import type { Job } from './job.ts'
import { nextDue } from './timers.ts'

/** How much (ms) the job's clock is ahead of the real one once all is done that was asked for. */
export function offsetToCome({ clock, ahead = 0 }: Job): number {
  return (clock?.offset ?? 0) + ahead
}

/** Lets time pass, until the job's clock is `offset` (ms) ahead. Sending the same offset twice moves it once. */
export function letPass(job: Job, offset: number, real: number): Job {
  const ahead = offset - (job.clock?.offset ?? 0)
  if (ahead <= (job.ahead ?? 0)) return job
  return { ...job, ahead, clock: { offset: job.clock?.offset ?? 0, moved: real } }
}

/** Whether the alarm may move the clock: not while a report is under way, since its answer plans the next try. */
export function mayMove(job: Job): boolean {
  return job.ahead !== undefined && job.flight === null
}

/**
 * Moves the clock to the job's next timer, or its payment's (`other`, ms), but no further than was
 * asked for. Queues hold messages by real time, so what waits for them is put off as much.
 */
export function moveOn(job: Job, other: number, now: number): Job {
  const { ahead, ...rest } = job
  if (ahead === undefined || !mayMove(job)) return job
  if (ahead === 0) return rest
  const by = Math.min(Math.max(Math.min(nextDue(job), other) - now, 0), ahead)
  const real = now - (job.clock?.offset ?? 0)
  return {
    ...rest,
    ahead: ahead - by,
    clock: { offset: jobNow(job.clock, by), moved: real },
    indexAt: job.indexAt === null || job.sequence === 0 ? job.indexAt : job.indexAt + by,
  }
}
