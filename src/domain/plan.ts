import { type Job, isFinal } from './job.ts'
import { markIndexDueAgain } from './job-row.ts'
import { nextAnnounceAt, nextLastPullAt } from './schedule.ts'
import { FAR_TOO_EARLY, type PspWork, nextPspWork, purgeAt } from './timers.ts'
import { expire, planNextPull } from './transition.ts'

/** What an alarm has to do outside the job itself. */
export type Work = Exclude<PspWork, 'expire'> | 'purge'

/**
 * What the alarm does first: for everything that is due it plans the next time, so that the job is already looked
 * after again should the work itself be cut off. `work` is what is left to do outside it.
 */
export const plan = (
  job: Job,
  now: number,
  random: number,
  retention: number,
): { job: Job; work: Work | null } => {
  const owing = job.indexAt !== null && job.indexAt <= now ? markIndexDueAgain(job, now) : job
  const purge = purgeAt(job, retention)
  if (purge !== null && purge - FAR_TOO_EARLY < now) return { job: owing, work: 'purge' }
  const next = nextPspWork(owing)
  if (next === null || next.at > now) return { job: owing, work: null }
  switch (now < owing.expiresAt || isFinal(owing.status) ? next.work : atTheEnd(next.work)) {
    case 'expire':
      return { job: expire(owing, now), work: null }
    case 'pull':
      return { job: planNextPull(owing, now, random), work: 'pull' }
    case 'last-pull':
      return { job: planNextLastPull(owing, now, random), work: 'last-pull' }
    case 'announce': {
      if (owing.announcement.is !== 'due') return { job: owing, work: null }
      const tries = owing.announcement.tries + 1
      const announcement = { is: 'due', tries, at: nextAnnounceAt(tries, now, random) } as const
      return { job: { ...owing, announcement }, work: 'announce' }
    }
  }
}

/** An alarm that rings late finds a job over that still had other plans. */
const atTheEnd = (work: PspWork): PspWork =>
  work === 'pull' ? 'last-pull' : work === 'announce' ? 'expire' : work

const planNextLastPull = (job: Job, now: number, random: number): Job => {
  const lastPulls = job.lastPulls + 1
  return { ...job, lastPulls, pullAt: nextLastPullAt(job.expiresAt, lastPulls, now, random) }
}
