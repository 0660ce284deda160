import type { Job } from './job.ts'
import type { PullAnswer } from './psp-answer.ts'
import { endPulls, expire, expireUnanswered, postponePull, recordPull, recordReturn } from './transition.ts'

/**
 * Why the hub pulls a payment's status. `return`: the customer came back; `give-up`: the customer came back without wanting
 * to pay; `wait`: the page that waits for an outcome asks again; `notification`: the PSP says that something changed;
 * `claim`: a signed notification gives a status that the PSP's API may not show; `schedule` and `expiry`: the job's timers.
 */
export type PullReason = 'return' | 'give-up' | 'wait' | 'notification' | 'claim' | 'schedule' | 'expiry'

/** The PSP's answer to a pull, and whether it is the answer to the hub's request to stop the payment. */
export type PullResult = { answer: PullAnswer; stopped: boolean }

/**
 * Whether there is a reason to ask the PSP: never while it has no payment, and no more once a pull of the same kind has
 * recorded SUCCESS.
 */
export const isWorthPulling = (job: Job, reason: PullReason): boolean => {
  if (job.announcement.is !== 'announced') return false
  if (reason === 'wait') return job.status !== 'SUCCESS'
  const action = ENDED_BY[reason]
  return !job.steps.some((step) => step.status === 'SUCCESS' && step.action === action)
}

/** The action whose SUCCESS ends the pulls of a reason; the job's own timers end by themselves. */
const ENDED_BY: Record<Exclude<PullReason, 'wait'>, 'Return' | 'Statuspull' | null> = {
  return: 'Return',
  'give-up': 'Return',
  notification: 'Statuspull',
  claim: 'Statuspull',
  schedule: null,
  expiry: null,
}

/**
 * Whether an open payment is to be stopped at the PSP: when the customer gave up, and when the job ends, so that nobody
 * pays for what the point of sale believes expired. One that the PSP keeps open for longer is left alone.
 */
export const isToBeStopped = (job: Job, reason: PullReason, answer: PullAnswer): boolean => {
  if (answer.is !== 'observed' || answer.status !== 'PENDING') return false
  return reason === 'give-up' || (reason === 'expiry' && (answer.expiresAt ?? 0) <= job.expiresAt)
}

/** Records the result of a pull. The same job back when it tells nothing new. */
export const recordPullResult = (
  job: Job,
  reason: PullReason,
  { answer, stopped }: PullResult,
  now: number,
): Job => {
  switch (reason) {
    case 'return':
    case 'give-up':
      return answer.is === 'observed' ? recordPull(job, 'Return', answer, now) : recordReturn(job, now)
    case 'wait':
    case 'notification':
    case 'claim':
      return answer.is === 'observed' ? recordPull(job, 'Statuspull', answer, now) : job
    case 'schedule':
      if (answer.is === 'unavailable') return postponePull(job, answer, now)
      return answer.is === 'observed' ? endPulls(recordPull(job, 'Statuspull', answer, now)) : job
    case 'expiry': {
      // Where a stop has no answer, the payment may be open still, or paid: the pull is made again.
      if (answer.is === 'unavailable') return expireUnanswered(job, now)
      // A payment that was stopped is EXPIRED in the trace, unless it was paid first.
      const counts = answer.is === 'observed' && (!stopped || answer.status === 'SUCCESS')
      return expire(counts ? recordPull(job, 'Statuspull', answer, now) : job, now)
    }
  }
}
