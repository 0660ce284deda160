import { apply } from './apply.ts'
import { paidElsewhere } from './other-payments.ts'
import { type Canceller, type Job, isFinal } from './job.ts'
import type { Unanswered } from './unanswered.ts'
import type { Observed, PullAnswer } from '../../psp/answer.ts'
import { endPulls, expire, expireUnanswered, postponePull, recordPull, recordReturn } from './transition.ts'

/**
 * Why the hub pulls a payment's status. `return`: the customer came back; `give-up`: the customer came back without wanting
 * to pay; `wait`: the page that waits for an outcome asks again; `notification`: the PSP says that something changed;
 * `claim`: a signed notification gives a status that the PSP's API may not show; `schedule` and `expiry`: the job's timers;
 * `cancel`: the shop or an operator wants to stop it; `refund`: the hub has refunded it; `look`: an operator wants to know.
 */
export type PullReason =
  | 'return'
  | 'give-up'
  | 'wait'
  | 'notification'
  | 'claim'
  | 'schedule'
  | 'expiry'
  | 'cancel'
  | 'refund'
  | 'look'

/**
 * The PSP's answer to a pull, and whether it is the answer to the hub's request to stop the payment. Where it is the answer to a
 * capture and says nothing, `reserved` is how the payment stood just before.
 */
export type PullResult = { answer: PullAnswer; stopped: boolean; reserved?: Observed }

/** A PSP that does not know a payment has said nothing of its money: its account may have other credentials now. */
export function isAnswered({ answer }: PullResult): boolean {
  return answer.is === 'observed'
}

/**
 * Whether there is a reason to ask the PSP: never while it has no payment. A customer who comes back tells nothing new once the job
 * is SUCCESS; a PSP that notifies does, for money may go back.
 */
export function isWorthPulling(job: Job, reason: PullReason): boolean {
  if (job.announcement.is !== 'announced') return false
  switch (reason) {
    case 'wait':
    case 'return':
    case 'give-up':
      return job.status !== 'SUCCESS'
    case 'cancel':
      return !isFinal(job.status)
    case 'notification':
    case 'claim':
    case 'schedule':
    case 'expiry':
    case 'refund':
    case 'look':
      return true
  }
}

/**
 * Whether an open payment is to be stopped at the PSP: when the customer gave up or the shop cancels, when the job ends, and whenever it is still
 * open after that or after money came at another account, so that nobody pays for what the point of sale believes settled. One that the PSP keeps open for longer
 * is left alone, and so is money that is under way or reserved.
 */
export function isToBeStopped(job: Job, reason: PullReason, answer: PullAnswer): boolean {
  if (!isOpen(answer)) return false
  if (isFinal(job.status)) return job.status !== 'SUCCESS' || paidElsewhere(job) > 0
  if (reason === 'give-up' || reason === 'cancel') return true
  return reason === 'expiry' && (answer.expiresAt ?? 0) <= job.expiresAt
}

/** Whether the money is reserved, and waits to be captured. */
export function isReserved(answer: PullAnswer): answer is Observed {
  return answer.is === 'observed' && answer.status === 'PENDING' && answer.stage?.is === 'authorized'
}

/** Whether the PSP says that the customer may still act. */
export function isOpen(answer: PullAnswer): answer is Observed {
  return answer.is === 'observed' && answer.status === 'PENDING' && (answer.stage?.is ?? 'open') === 'open'
}

/** Records the result of a pull, and whose wish a cancel was. The same job back when it tells nothing new. */
export function recordPullResult(
  before: Job,
  reason: PullReason,
  { answer, stopped, reserved }: PullResult,
  now: number,
  by?: Canceller,
): Job {
  const action = reason === 'return' || reason === 'give-up' ? 'Return' : 'Statuspull'
  const job = reserved ? recordPull(before, action, reserved, now) : before
  switch (reason) {
    case 'return':
    case 'give-up':
      return answer.is === 'observed' ? recordPull(job, 'Return', answer, now) : recordReturn(job, now)
    case 'wait':
    case 'notification':
    case 'claim':
    case 'look':
      return answer.is === 'observed' ? recordPull(job, 'Statuspull', answer, now) : job
    case 'refund':
      return answer.is === 'observed' ? endPulls(recordPull(job, 'Statuspull', answer, now), now) : job
    case 'schedule':
      if (answer.is === 'unavailable') return postponePull(job, answer, now)
      if (answer.is === 'unknown') return job
      return endPulls(recordPull(job, 'Statuspull', answer, now), now)
    case 'expiry':
      return recordLastPull(job, { answer, stopped }, now)
    case 'cancel':
      return answer.is === 'observed' ? cancelledFor(by, job, recordCancel(job, answer, now)) : job
  }
}

/** Records what came of the wish to stop a payment: one that can no longer be stopped goes on. */
function recordCancel(job: Job, answer: Observed, now: number): Job {
  return recordPull(job, answer.status === 'CANCELLED' ? 'Cancel' : 'Statuspull', answer, now)
}

/** Cancels a job whose PSP has no payment yet. */
export function cancelUnannounced(job: Job, now: number, by?: Canceller): Job {
  return job.announcement.is === 'due'
    ? cancelledFor(by, job, apply(job, 'Cancel', { status: 'CANCELLED', paid: 0 }, now))
    : job
}

/** Notes whose wish it was where a change has cancelled the job. */
function cancelledFor(by: Canceller | undefined, before: Job, after: Job): Job {
  return by !== undefined && after.status === 'CANCELLED' && before.status !== 'CANCELLED'
    ? { ...after, cancelledBy: by }
    : after
}

/**
 * Records the pull that ends a job. Nothing ends while the PSP is silent, does not know the payment, or could not stop it: the
 * pull is repeated, and patience ends after three days. A payment that was stopped is EXPIRED in the trace, unless it was
 * paid first; a part that was paid counts.
 */
function recordLastPull(job: Job, { answer, stopped }: PullResult, now: number): Job {
  if (answer.is !== 'observed') return expireUnanswered(job, now)
  if (!stopped || answer.status === 'SUCCESS') return expire(recordPull(job, 'Statuspull', answer, now), now)
  const { paid, status, closed } = answer
  if (status === 'PENDING') return expireUnanswered(recordPull(job, 'Statuspull', answer, now), now)
  const partlyPaid = paid > job.paid ? apply(job, 'Statuspull', { status: 'PENDING', paid }, now) : job
  return apply(partlyPaid, 'Expire', { status: 'EXPIRED', paid, ...(closed ? { closed } : {}) }, now)
}

/** Several who ask within this time (ms) share one pull. */
const ONE_PULL = 2000

/** Notes that a pull was answered, or was not. The same job back where that is known. */
export function noteAnswer(job: Job, answer: PullAnswer, now: number): Job {
  const { unanswered: known, ...rest } = job
  if (answer.is === 'observed') return known ? rest : job
  if (known && now < known.last + ONE_PULL) return job
  const unanswered: Unanswered = {
    is: answer.is === 'unknown' ? 'unknown' : answer.accountRefused ? 'refused' : 'silent',
    since: known?.since ?? now,
    last: now,
    pulls: (known?.pulls ?? 0) + 1,
    message: answer.is === 'unknown' ? '' : answer.message,
  }
  return { ...job, unanswered }
}
