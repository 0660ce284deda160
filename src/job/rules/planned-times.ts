import { type Job, isFinal, waitsUntil } from './job.ts'
import { nextPspWork, purgeAt } from './timers.ts'

/** What a job does by itself, and when (ms, by its own clock); null for what is not planned. `retention` (ms) as for `purgeAt`. */
export function plannedTimes(job: Job, retention: number) {
  const work = nextPspWork(job)
  const owed = job.reports.filter(({ state }) => state === 'waiting').map(({ dueAt }) => dueAt)
  return {
    expires: isFinal(job.status) ? null : waitsUntil(job),
    nextPull: work?.work === 'pull' || work?.work === 'last-pull' ? work.at : null,
    nextAnnouncement: work?.work === 'announce' ? work.at : null,
    nextReport: owed.length === 0 ? null : Math.min(...owed),
    purge: purgeAt(job, retention),
  }
}
