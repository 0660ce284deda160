import type { Job } from './job.ts'
import type { PullAnswer } from './psp-answer.ts'
import { endPulls, expire, expireUnanswered, postponePull, recordPull, recordReturn } from './transition.ts'

/**
 * Why the hub looks at how a payment stands. `return`: the customer came back; `give-up`: the customer came back without
 * wanting to pay; `wait`: the page that waits for an outcome; `notification`: the PSP says that something changed;
 * `claim`: the PSP says, signed, what its API may not say; `schedule` and `expiry`: the job's own timers.
 */
export type Reason = 'return' | 'give-up' | 'wait' | 'notification' | 'claim' | 'schedule' | 'expiry'

/** What a look saw: how the payment stands, and whether that was said after the hub had it stopped. */
export type Seen = { answer: PullAnswer; stopped: boolean }

/** Whether a look has anything to ask. SUCCESS is final: once the trace has it from this kind of look, it does not. */
export const isWorthLooking = (job: Job, reason: Reason): boolean =>
  job.announcement.is === 'announced' &&
  !job.steps.some((step) => step.status === 'SUCCESS' && step.action === SETTLED_BY[reason])

const SETTLED_BY: Record<Reason, 'Return' | 'Statuspull' | null> = {
  return: 'Return',
  'give-up': 'Return',
  wait: 'Return',
  notification: 'Statuspull',
  claim: 'Statuspull',
  schedule: null,
  expiry: null,
}

/**
 * Whether an open payment is to be stopped at the PSP: when the customer gave up, and when the job ends, so that nobody
 * pays for what the point of sale believes expired. One that the PSP keeps open for longer is left alone.
 */
export const isToBeStopped = (job: Job, reason: Reason, answer: PullAnswer): boolean => {
  if (answer.is !== 'observed' || answer.status !== 'PENDING') return false
  return reason === 'give-up' || (reason === 'expiry' && (answer.expiresAt ?? 0) <= job.expiresAt)
}

/** Records what a look saw. The same job back when that tells nothing new. */
export const recordLook = (job: Job, reason: Reason, { answer, stopped }: Seen, now: number): Job => {
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
      if (answer.is === 'unavailable' && !stopped) return expireUnanswered(job, now)
      // Stopped by the hub is expired in the trace; paid in the last moment is paid.
      const counts = answer.is === 'observed' && (!stopped || answer.status === 'SUCCESS')
      return expire(counts ? recordPull(job, 'Statuspull', answer, now) : job, now)
    }
  }
}
