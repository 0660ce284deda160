import { type Job, isFinal } from './job.ts'
import { lastPullAt } from './schedule.ts'

export type PspWork = 'announce' | 'pull' | 'last-pull' | 'expire'

/** When (ms) a job next needs its PSP, and for what; null once its status is final. */
export const nextPspWork = (job: Job): { work: PspWork; at: number } | null => {
  if (isFinal(job.status)) return null
  if (job.announcement.is === 'due' && job.announcement.at < job.expiresAt) {
    return { work: 'announce', at: job.announcement.at }
  }
  if (job.announcement.is !== 'announced') return { work: 'expire', at: job.expiresAt }
  return job.pullAt !== null && job.pullAt < job.expiresAt
    ? { work: 'pull', at: job.pullAt }
    : { work: 'last-pull', at: lastPullAt(job.expiresAt, job.lastPulls) }
}

/** When (ms) the job's one alarm has to ring: the earliest of all its timers. Null when nothing is left to do. */
export const nextWake = (job: Job): number | null => {
  const reports = job.flight
    ? [job.flight.until]
    : job.reports.filter((report) => report.state === 'waiting').map((report) => report.dueAt)
  const psp = nextPspWork(job)
  const times = [...reports, ...(psp ? [psp.at] : []), ...(job.indexAt === null ? [] : [job.indexAt])]
  return times.length === 0 ? null : Math.min(...times)
}
