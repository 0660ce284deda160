import { isLookedAfter, nextLookAt } from './after-end.ts'
import { apply } from './apply.ts'
import { type Action, type Job, createdAt, isFinal, waitsUntil } from './job.ts'
import { paidElsewhere } from './other-payments.ts'
import { countMoves, recordTotals } from './record-money-back.ts'
import type { Observed, Unavailable } from '../../psp/answer.ts'
import { EXPIRY_GRACE, LAST_PULL_PATIENCE, askedFor, nextPullAt } from './schedule.ts'

/** Records what a pull found, for the reason it was made. The same job back when that tells nothing new. */
export function recordPull(job: Job, action: Action, seen: Observed, now: number): Job {
  const counted = { ...seen, paid: seen.paid + (seen.paid > 0 ? paidElsewhere(job) : 0) }
  const next = countMoves(recordTotals(apply(job, action, counted, now), seen, now), now)
  if (isFinal(next.status) || seen.expiresAt === null) return next
  const expiresAt = seen.expiresAt + EXPIRY_GRACE
  return expiresAt === next.expiresAt ? next : { ...next, expiresAt, lastPulls: 0 }
}

/** Records that the customer came back when the PSP could not say how it went. */
export function recordReturn(job: Job, now: number): Job {
  return apply(job, 'Return', { status: 'PENDING', paid: 0 }, now)
}

/**
 * Plans the next status pull after one, whatever that one found. A job that has ended is looked after for thirty days, more and
 * more seldom. One that is paid, or closed, is pulled only because of a notification or a refund, and for three days after that
 * and its last change: then its PSP has had its chance.
 */
export function planNextPull(job: Job, now: number, random: number): Job {
  if (!isFinal(job.status)) return { ...job, pullAt: nextPullAt(createdAt(job), now, random) }
  if (job.pullAt === null) return job
  if (isLookedAfter(job)) return { ...job, pullAt: nextLookAt(job, now) }
  const isOver = now >= Math.max(job.updated / 1000, job.askedForPullAt ?? 0) + LAST_PULL_PATIENCE
  return isOver ? withoutPull(job) : { ...job, pullAt: nextPullAt(createdAt(job), now, random) }
}

/** A pull that is planned for sooner than this (ms) was asked for while the PSP was answering the one before. */
const ASKED_FOR_MEANWHILE = 10_000

/**
 * A job that is paid, or closed, needs no more pulls once its PSP has said how the payment stands. A notification that came
 * meanwhile may tell of something newer than the answer: its pull stays.
 */
export function endPulls(job: Job, now: number): Job {
  return isFinal(job.status) &&
    !isLookedAfter(job) &&
    job.pullAt !== null &&
    job.pullAt > now + ASKED_FOR_MEANWHILE
    ? withoutPull(job)
    : job
}

function withoutPull(job: Job): Job {
  const { askedForPullAt: _, ...quiet } = job
  return { ...quiet, pullAt: null }
}

/** Puts the next status pull off for as long as the PSP asks to be left alone. */
export function postponePull(job: Job, answer: Unavailable, now: number): Job {
  const at = askedFor(answer, now)
  return job.pullAt === null || at <= job.pullAt ? job : { ...job, pullAt: at }
}

/** Brings the next status pull forward to a time (ms). A job that has ended is pulled until its PSP answers. */
export function pullSooner(job: Job, at: number): Job {
  if (job.pullAt !== null && job.pullAt <= at) return job
  return isFinal(job.status) ? { ...job, pullAt: at, askedForPullAt: at } : { ...job, pullAt: at }
}

/** Ends a job that is past its time. */
export function expire(job: Job, now: number): Job {
  return isFinal(job.status) || waitsUntil(job) > now
    ? job
    : apply(job, 'Expire', { status: 'EXPIRED', paid: 0 }, now)
}

/** Ends a job whose PSP did not answer the last pull, or could not stop the payment, once patience has ended. */
export function expireUnanswered(job: Job, now: number): Job {
  return now >= waitsUntil(job) + LAST_PULL_PATIENCE ? expire(job, now) : job
}
