import { jobNow, realAt } from '../../contract/job-clock.ts'
import { type Job, isFinal, waitsUntil } from './job.ts'
import { nextOtherLook } from './other-payments.ts'
import { nextRefundCheck } from './refund-request.ts'
import { HOUR } from '../../contract/timestamp.ts'

export type PspWork = 'announce' | 'pull' | 'last-pull' | 'expire'

/** When (ms) a job next needs its PSP, and for what. Once its status is final, only what a notification asked for. */
export function nextPspWork(job: Job): { work: PspWork; at: number } | null {
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
export function purgeAt(job: Job, retention: number): number | null {
  const at = jobNow(job.clock, realAt(job.clock, Math.floor(job.updated / 1000)) + retention)
  const isPending =
    job.flight !== null ||
    nextRefundCheck(job) !== null ||
    job.reports.some((report) => report.state === 'waiting') ||
    (job.pullAt !== null && job.pullAt < at) ||
    (nextOtherLook(job)?.at ?? at) < at
  return isFinal(job.status) && !isPending ? at : null
}

/** When (ms) something is to be done about the job next: at the earliest of all its timers, of which the purge is one. */
export function nextWake(job: Job, retention: number): number {
  return Math.min(...punctual(job), ...patient(job), purgeAt(job, retention) ?? Infinity)
}

/** An alarm that is earlier than needed by more than this (ms) is set anew. By less it may run in vain, or purge sooner. */
const FAR_TOO_EARLY = HOUR
/** How late (ms) the alarm may look after messages that a queue lost. */
const PATIENCE = 40_000

/** Whether the job's retention time is over, or will be within the hour. */
export function isPurgeDue(job: Job, retention: number, now: number): boolean {
  const at = purgeAt(job, retention)
  return at !== null && at - FAR_TOO_EARLY < now
}

/**
 * When (ms) the alarm is to run, given when it is `set` to; null for no alarm. Setting it costs as much as saving the job, so one that
 * is about right is left. None is set for a purge that is to come: the sweeps do that, and an alarm that is set rings once in vain. One
 * is set for a purge that is due.
 */
export function alarmFor(job: Job, retention: number, set: number | null, now: number): number | null {
  const wake = nextWake(job, retention)
  if (wake === purgeAt(job, retention)) {
    if (isPurgeDue(job, retention, now)) return set !== null && set > now && set <= wake ? set : wake
    return set !== null && set > now ? set : null
  }
  const latest = Math.min(...punctual(job), ...patient(job).map((at) => at + PATIENCE))
  const isRight = set !== null && set > now && set <= latest && set > wake - FAR_TOO_EARLY
  return isRight ? set : wake
}

/** When (ms) something is due that does not wait for a queue; Infinity for never. */
export function nextDue(job: Job): number {
  return Math.min(...punctual(job))
}

/** Timers that must be on time: those of the PSP, of refunds, and of reports that are to be tried. */
function punctual(job: Job): number[] {
  const work = nextPspWork(job)
  const reports = job.flight ? [] : job.reports.filter((report) => report.state === 'waiting')
  const times = [work?.at, nextRefundCheck(job)?.at, nextOtherLook(job)?.at].filter(
    (at) => typeof at === 'number',
  )
  return [...times, ...reports.map((report) => report.dueAt)]
}

/** Timers that may be late: repeats of what was lost. */
function patient(job: Job): number[] {
  return [job.flight?.until, job.indexAt].filter((at) => typeof at === 'number')
}
