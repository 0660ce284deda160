import { type Job, isFinal } from './job.ts'

export type PspWork = 'announce' | 'pull' | 'last-pull' | 'expire'

/** When (ms) a job next needs its PSP, and for what; null once its status is final. */
export const nextPspWork = (job: Job): { work: PspWork; at: number } | null => {
  if (isFinal(job.status)) return null
  if (job.announcement.is === 'due' && job.announcement.at < job.expiresAt) {
    return { work: 'announce', at: job.announcement.at }
  }
  if (job.announcement.is !== 'announced') return { work: 'expire', at: job.expiresAt }
  if (job.pullAt !== null && job.pullAt < job.expiresAt) return { work: 'pull', at: job.pullAt }
  return { work: 'last-pull', at: job.lastPulls === 0 ? job.expiresAt : (job.pullAt ?? job.expiresAt) }
}

/**
 * When (ms) a job that has ended is forgotten: `retention` (ms) after its last change, and not while a report is owed.
 */
export const purgeAt = (job: Job, retention: number): number | null =>
  isFinal(job.status) && job.flight === null && job.reports.every((report) => report.state !== 'waiting')
    ? Math.floor(job.updated / 1000) + retention
    : null

/** When (ms) the job's one alarm has to ring: the earliest of all its timers. */
export const nextWake = (job: Job, retention: number): number => {
  const reports = job.flight
    ? [job.flight.until]
    : job.reports.filter((report) => report.state === 'waiting').map((report) => report.dueAt)
  const others = [nextPspWork(job)?.at, job.indexAt, purgeAt(job, retention)]
  return Math.min(...reports, ...others.filter((time) => typeof time === 'number'))
}
