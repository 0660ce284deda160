import {
  type Action,
  type Job,
  type Observation,
  type Order,
  type Status,
  type Step,
  isFinal,
} from './job.ts'
import { indexed } from './job-row.ts'
import type { AnnounceAnswer, Announced, Observed } from './psp-answer.ts'
import { owe } from './reporting.ts'
import { DEFAULT_LIFE, EXPIRY_GRACE, LAST_PULL_PATIENCE, nextAnnounceAt, nextPullAt } from './schedule.ts'
import { MINUTE, stampAfter } from './timestamp.ts'

/** What is known of a job before it exists. `fingerprint` tells a repeated order from another one under the same id. */
export type Birth = {
  id: string
  transactionId: string
  fingerprint: string
  pos: string
  account: string
  origin: string
  order: Order
  answer: AnnounceAnswer
}

/** A job with its `Start` step. Born `FAILURE` when the PSP refused, and with its announcement due when it was silent. */
export const bear = (birth: Birth, now: number, random: number): Job => {
  const { answer, ...known } = birth
  const created = now * 1000
  const started = stampAfter(created, now)
  const status: Status = answer.is === 'refused' ? 'FAILURE' : 'PENDING'
  const job: Job = {
    ...known,
    version: 1,
    status,
    paid: 0,
    error: answer.is === 'announced' ? null : answer.message,
    created,
    updated: started,
    steps: [{ at: started, action: 'Start', status, paid: 0 }],
    announcement:
      answer.is === 'announced'
        ? announcementOf(answer)
        : answer.is === 'refused'
          ? { is: 'refused' }
          : { is: 'due', tries: 1, at: nextAnnounceAt(1, now, random) },
    expiresAt: answer.is === 'announced' ? endOf(answer, now) : now + DEFAULT_LIFE,
    pulls: 0,
    lastPulls: 0,
    pullAt: answer.is === 'announced' ? nextPullAt(now, 0, now, random) : null,
    revision: 1,
    sequence: 1,
    listed: false,
    indexAt: now + MINUTE,
    reports: [],
    flight: null,
    alarmAt: null,
  }
  return isFinal(status) ? owe(job, now) : job
}

/** Takes in the PSP's answer to a repeated announcement. The first payment announced is the job's; later ones are ignored. */
export const answered = (job: Job, answer: AnnounceAnswer, now: number, random: number): Job => {
  if (job.announcement.is !== 'due' || isFinal(job.status)) return job
  switch (answer.is) {
    case 'announced':
      return {
        ...job,
        error: null,
        updated: stampAfter(job.updated, now),
        announcement: announcementOf(answer),
        expiresAt: endOf(answer, now),
        pullAt: nextPullAt(createdAt(job), job.pulls, now, random),
      }
    case 'refused':
      return apply(
        { ...job, error: answer.message, announcement: { is: 'refused' } },
        'Statuspull',
        { status: 'FAILURE', paid: 0 },
        now,
      )
    case 'unavailable':
      return job
  }
}

/** Records what a pull found, for the reason it was made. The same job back when that tells nothing new. */
export const observed = (job: Job, action: Action, seen: Observed, now: number): Job => {
  const next = apply(job, action, seen, now)
  if (isFinal(next.status) || seen.expiresAt === null) return next
  const expiresAt = seen.expiresAt + EXPIRY_GRACE
  return expiresAt === next.expiresAt ? next : { ...next, expiresAt, lastPulls: 0 }
}

/** Records that the customer came back when the PSP could not say how it went. */
export const returned = (job: Job, now: number): Job =>
  apply(job, 'Return', { status: 'PENDING', paid: 0 }, now)

/** Plans the next status pull after one, whatever that one found. */
export const pulled = (job: Job, now: number, random: number): Job => {
  if (isFinal(job.status)) return job
  const pulls = job.pulls + 1
  return { ...job, pulls, pullAt: nextPullAt(createdAt(job), pulls, now, random) }
}

/** Ends a job that is past its time. */
export const expired = (job: Job, now: number): Job =>
  isFinal(job.status) || job.expiresAt > now ? job : apply(job, 'Expire', { status: 'EXPIRED', paid: 0 }, now)

/** Ends a job whose PSP did not answer the last pull, once patience has ended. */
export const lastPullUnanswered = (job: Job, now: number): Job =>
  now >= job.expiresAt + LAST_PULL_PATIENCE ? expired(job, now) : job

/** The one gate through which status and amount change: both only ever move forward. */
const apply = (job: Job, action: Action, seen: Observation, now: number): Job => {
  const paid = Math.min(job.order.amount, Math.max(job.paid, seen.paid))
  const status = nextStatus(job.status, seen.status, paid >= job.order.amount)
  const changed = status !== job.status || paid !== job.paid
  const before = job.steps.findLast((step) => step.action === action)
  if (!changed && before?.status === status && before.paid === paid) return job
  const at = stampAfter(job.updated, now)
  const step: Step = { at, action, status, paid }
  const next: Job = {
    ...job,
    status,
    paid,
    updated: at,
    steps: [...job.steps, step],
    pullAt: isFinal(status) ? null : job.pullAt,
  }
  return changed ? indexed(owe({ ...next, revision: job.revision + 1 }, now), now) : next
}

/**
 * SUCCESS is the end: nothing leaves it, and nothing but the whole amount leads to it. Another final status gives
 * way to SUCCESS only, for the PSP may take money after all.
 */
const nextStatus = (current: Status, seen: Status, paidInFull: boolean): Status => {
  if (current === 'SUCCESS' || seen === 'PENDING') return current
  if (seen === 'SUCCESS') return paidInFull ? 'SUCCESS' : current
  return current === 'PENDING' ? seen : current
}

const announcementOf = ({ reference, checkoutUrl }: Announced) =>
  ({ is: 'announced', reference, checkoutUrl }) as const

const endOf = (answer: Announced, now: number): number =>
  (answer.expiresAt ?? now + DEFAULT_LIFE) + EXPIRY_GRACE

const createdAt = (job: Job): number => job.created / 1000
