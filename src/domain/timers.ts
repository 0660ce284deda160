import { afterReal } from './job-clock.ts'
import { type Job, isFinal, waitsUntil } from './job.ts'
import { nextOtherLook } from './other-payments.ts'
import { nextRefundCheck } from './refund-request.ts'
import { HOUR } from './timestamp.ts'

export type PspWork = 'announce' | 'pull' | 'last-pull' | 'expire'

/** When (ms) a job next needs its PSP, and for what. Once its status is final, only what a notification asked for. */
export const nextPspWork = (job: Job): { work: PspWork; at: number } | null => {
  if (isFinal(job.status)) return job.pullAt === null ? null : { work: 'pull', at: job.pullAt }
  if (job.announcement.is === 'due' && job.announcement.at < job.expiresAt) {
    return { work: 'announce', at: job.announcement.at }
  }
  if (job.announcement.is !== 'announced') return { work: 'expire', at: job.expiresAt }
  const end = waitsUntil(job)
  if (job.pullAt !== null && job.pullAt < end) return { work: 'pull', at: job.pullAt }
  return { work: 'last-pull', at: job.lastPulls === 0 ? end : (job.pullAt ?? end) }
}

/**
 * When (ms) a job that has ended is purged: `retention` (ms) after its last change, and not while a report or a refund
 * is pending, nor a pull that comes before that. The retention time is real, whatever clock the job has.
 */
export const purgeAt = (job: Job, retention: number): number | null => {
  const at = afterReal(job.clock, Math.floor(job.updated / 1000), retention)
  const isPending =
    job.flight !== null ||
    nextRefundCheck(job) !== null ||
    job.reports.some((report) => report.state === 'waiting') ||
    (job.pullAt !== null && job.pullAt < at) ||
    (nextOtherLook(job)?.at ?? at) < at
  return isFinal(job.status) && !isPending ? at : null
}

/** When (ms) the job's one alarm has to run: at the earliest of all its timers. */
export const nextWake = (job: Job, retention: number): number =>
  Math.min(...punctual(job), ...patient(job, retention))

/** An alarm that is earlier than needed by more than this (ms) is set anew. By less it may run in vain, or purge sooner. */
export const FAR_TOO_EARLY = HOUR
/** How late (ms) the alarm may look after messages that a queue lost, or purge a job. */
const PATIENCE = 40_000

/**
 * When (ms) the alarm is to run, given when it is `set` to: setting it costs as much as saving the job, so one that is
 * about right is left.
 */
export const alarmFor = (job: Job, retention: number, set: number | null, now: number): number => {
  const wake = nextWake(job, retention)
  const latest = Math.min(...punctual(job), ...patient(job, retention).map((at) => at + PATIENCE))
  const isRight = set !== null && set > now && set <= latest && set > wake - FAR_TOO_EARLY
  return isRight ? set : wake
}

/** Timers that must be on time: those of the PSP, of refunds, and of reports that are to be tried. */
const punctual = (job: Job): number[] => {
  const work = nextPspWork(job)
  const reports = job.flight ? [] : job.reports.filter((report) => report.state === 'waiting')
  const times = [work?.at, nextRefundCheck(job)?.at, nextOtherLook(job)?.at].filter(
    (at) => typeof at === 'number',
  )
  return [...times, ...reports.map((report) => report.dueAt)]
}

/** Timers that may be late: repeats of what was lost, and the purge. */
const patient = (job: Job, retention: number): number[] =>
  [job.flight?.until, job.indexAt, purgeAt(job, retention)].filter((at) => typeof at === 'number')
