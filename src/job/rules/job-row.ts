import { Status } from '../../contract/status.ts'
import * as v from 'valibot'
import { type JobClock, realAt } from '../../contract/job-clock.ts'
import { Announcement, type Job, type Report, isTaken } from './job.ts'
import { MINUTE } from '../../contract/timestamp.ts'

/** What says where the row of a job is: the key of the index. It never changes, so no row ever moves. Created in µs. */
export const JobKey = v.object({ id: v.string(), created: v.number(), pos: v.string() })
export type JobKey = v.InferOutput<typeof JobKey>

const AnnouncementIs = v.picklist(Announcement.options.map(({ entries }) => entries.is.literal))

/**
 * A job as the operators' index holds it. A row with a higher `sequence` replaces one with a lower. `undeliveredAt`
 * (ms) is set while the newest report has been given up, `owedSince` (ms) from its first try that failed until it is delivered.
 * `paidAfter` (ms) is how long a payment that succeeded took from its creation.
 */
export const JobRow = v.object({
  ...JobKey.entries,
  account: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.number(),
  paid: v.number(),
  status: Status,
  updated: v.number(),
  undeliveredAt: v.nullable(v.number()),
  sequence: v.number(),
  reference: v.nullable(v.string()),
  announcement: AnnouncementIs,
  owedSince: v.nullable(v.number()),
  paidAfter: v.nullable(v.number()),
})
export type JobRow = v.InferOutput<typeof JobRow>

export function toRow(job: Job): JobRow {
  return {
    id: job.id,
    created: job.created,
    pos: job.pos,
    account: job.account,
    paymentMethod: job.order.paymentMethod,
    orderId: job.order.orderId,
    orderNumber: job.order.orderNumber,
    currency: job.order.currency,
    amount: job.order.amount,
    paid: job.paid,
    status: job.status,
    updated: realMicros(job.clock, job.updated),
    undeliveredAt: undeliveredAt(job.clock, job.reports.at(-1)),
    sequence: job.sequence,
    reference: job.announcement.is === 'announced' ? job.announcement.reference : null,
    announcement: job.announcement.is,
    owedSince: owedSince(job),
    paidAfter: paidAfter(job),
  }
}

/**
 * How long (ms) after a row was sent it is sent again, unless it is saved that the queue took it. A row that the queue has
 * taken is saved together with the job's next change, which spares a write. An object that is put to rest before that
 * sends the row a second time.
 */
export const INDEX_LEASE = 10 * MINUTE

/** A new job has a row, which the index gets at once. */
export function firstRow(now: number) {
  return {
    sequence: 1,
    indexAt: now + INDEX_LEASE,
    indexSends: 0,
  }
}

/**
 * A new job that is well has a row that rests until the first pull (ms): most payments end before, and birth and end are one
 * message and one row then. The alarm of that pull sends the row, so it needs none of its own. `sequence` 0 is of a row that was
 * never due.
 */
export function restingRow(firstPullAt: number) {
  return { sequence: 0, indexAt: firstPullAt, indexSends: 0 }
}

/** Whether a change of the job has made its row due, or due once more. */
export function isRowDue(before: Job | null, job: Job): boolean {
  return (
    job.indexAt !== null &&
    (job.sequence !== (before?.sequence ?? 0) || job.indexSends !== (before?.indexSends ?? 0))
  )
}

/** The job has a new row, which the index is to get. */
export function markIndexDue(job: Job, now: number): Job {
  return {
    ...job,
    sequence: job.sequence + 1,
    indexAt: now + INDEX_LEASE,
    indexSends: 0,
  }
}

/** Sends the row once more: it is not known whether the queue took it. One that has rested until now is sent for the first time. */
export function markIndexDueAgain(job: Job, now: number): Job {
  return job.sequence === 0
    ? markIndexDue(job, now)
    : { ...job, indexAt: now + INDEX_LEASE, indexSends: job.indexSends + 1 }
}

/** The queue took a row. Nothing is left to send if that was the newest. */
export function markIndexed(job: Job, sequence: number): Job {
  return {
    ...job,
    listed: true,
    ...(job.sequence === sequence ? { indexAt: null, indexSends: 0 } : {}),
  }
}

/** The queue did not take a row: it is sent again in a minute. */
export function markIndexRefused(job: Job, sequence: number, now: number): Job {
  return job.sequence === sequence && job.indexAt !== null ? { ...job, indexAt: now + MINUTE } : job
}

function undeliveredAt(clock: JobClock | undefined, report: Report | undefined): number | null {
  return report?.state === 'dead' ? realAt(clock, report.attempts.at(-1)?.at ?? report.dueAt) : null
}

/** Since when (ms) the receiver has not taken the newest report, though it was tried; null while nothing is wrong. */
export function owedSince({ clock, reports }: Job): number | null {
  const report = reports.at(-1)
  if (report === undefined || report.state === 'delivered') return null
  const lastTaken = report.attempts.findLastIndex(isTaken)
  const failed = report.attempts[lastTaken + 1]
  return failed === undefined ? null : realAt(clock, failed.at)
}

function paidAfter({ steps, created }: Job): number | null {
  const paid = steps.find(({ status }) => status === 'SUCCESS')
  return paid === undefined ? null : Math.floor((paid.at - created) / 1000)
}

/** Operators look for jobs by the real time. */
function realMicros(clock: JobClock | undefined, micros: number): number {
  return realAt(clock, Math.floor(micros / 1000)) * 1000 + (micros % 1000)
}
