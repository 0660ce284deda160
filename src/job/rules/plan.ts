import { type Job, isFinal, waitsUntil } from './job.ts'
import { markIndexDueAgain } from './job-row.ts'
import { type OtherPlace, nextOtherLook, planOtherLook } from './other-payments.ts'
import { nextRefundCheck, planNextCheck } from './refund-request.ts'
import { nextAnnounceAt, nextLastPullAt } from './schedule.ts'
import { type PspWork, isPurgeDue, nextPspWork } from './timers.ts'
import { expire, planNextPull } from './transition.ts'

/** What an alarm has to do outside the job itself. A refund is checked by its id, a payment beside the job's own by where it is. */
export type Work = Exclude<PspWork, 'expire'> | 'purge' | { refund: string } | { other: OtherPlace }

/**
 * What the alarm does first: it plans the next time of all that is due, so that nothing is lost should the work itself be
 * cut off. `work` is what is left to do outside the job.
 */
export function plan(
  job: Job,
  now: number,
  random: number,
  retention: number,
): { job: Job; work: Work | null } {
  const current = job.indexAt !== null && job.indexAt <= now ? markIndexDueAgain(job, now) : job
  if (isPurgeDue(job, retention, now)) return { job: current, work: 'purge' }
  const next = nextPspWork(current)
  if (next === null || next.at > now) return planCheck(current, now, random)
  switch (now < waitsUntil(current) || isFinal(current.status) ? next.work : atTheEnd(next.work)) {
    case 'expire':
      return { job: expire(current, now), work: null }
    case 'pull':
      return { job: planNextPull(current, now, random), work: 'pull' }
    case 'last-pull':
      return { job: planNextLastPull(current, now, random), work: 'last-pull' }
    case 'announce': {
      if (current.announcement.is !== 'due') return { job: current, work: null }
      const tries = current.announcement.tries + 1
      const announcement = { ...current.announcement, tries, at: nextAnnounceAt(tries, now, random) }
      return { job: { ...current, announcement }, work: 'announce' }
    }
  }
}

function planCheck(job: Job, now: number, random: number): { job: Job; work: Work | null } {
  const check = nextRefundCheck(job)
  if (check && check.at <= now)
    return { job: planNextCheck(job, check.id, now, random), work: { refund: check.id } }
  const look = nextOtherLook(job)
  if (look && look.at <= now)
    return { job: planOtherLook(job, look.other, now, random), work: { other: look.other } }
  return { job, work: null }
}

/** A late alarm may come after the job's end: then the end comes first. */
function atTheEnd(work: PspWork): PspWork {
  return work === 'pull' ? 'last-pull' : work === 'announce' ? 'expire' : work
}

function planNextLastPull(job: Job, now: number, random: number): Job {
  const lastPulls = job.lastPulls + 1
  return { ...job, lastPulls, pullAt: nextLastPullAt(waitsUntil(job), lastPulls, now, random) }
}
