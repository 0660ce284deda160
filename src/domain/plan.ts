import { type Job } from './job.ts'
import { expired, pulled } from './transition.ts'
import { nextAnnounceAt } from './schedule.ts'
import { type PspWork, nextPspWork } from './timers.ts'
import { MINUTE } from './timestamp.ts'

/**
 * What the alarm does first: for everything that is due it plans the next time, so that the job is already looked
 * after again should the work itself be cut off. `work` is what is left to ask of the PSP.
 */
export const plan = (
  job: Job,
  now: number,
  random: number,
): { job: Job; work: Exclude<PspWork, 'expire'> | null } => {
  const indexed = job.indexAt !== null && job.indexAt <= now ? { ...job, indexAt: now + MINUTE } : job
  const next = nextPspWork(indexed)
  if (next === null || next.at > now) return { job: indexed, work: null }
  switch (next.work) {
    case 'expire':
      return { job: expired(indexed, now), work: null }
    case 'pull':
      return { job: pulled(indexed, now, random), work: 'pull' }
    case 'last-pull':
      return { job: { ...indexed, lastPulls: indexed.lastPulls + 1 }, work: 'last-pull' }
    case 'announce': {
      if (indexed.announcement.is !== 'due') return { job: indexed, work: null }
      const tries = indexed.announcement.tries + 1
      const announcement = { is: 'due', tries, at: nextAnnounceAt(tries, now, random) } as const
      return { job: { ...indexed, announcement }, work: 'announce' }
    }
  }
}
