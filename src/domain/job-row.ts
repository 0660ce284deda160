import * as v from 'valibot'
import { type Job, type Report, Status } from './job.ts'
import { MINUTE } from './timestamp.ts'

/**
 * A job as the operators' index holds it. A row with a higher `sequence` replaces one with a lower. `undeliveredAt`
 * (ms) is set while the newest report has been given up.
 */
export const JobRow = v.object({
  id: v.string(),
  created: v.number(),
  pos: v.string(),
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
})
export type JobRow = v.InferOutput<typeof JobRow>

/** A row on its way to the index. The first that arrives is entered in the ledger of jobs too: `listed` is false. */
export const RowMessage = v.object({ row: JobRow, listed: v.boolean() })
export type RowMessage = v.InferOutput<typeof RowMessage>

/** A job that was forgotten; its row goes too. Where that is, its creation and its point of sale tell. */
export const PurgeMessage = v.object({
  forgotten: v.object({ id: v.string(), created: v.number(), pos: v.string() }),
})
export type PurgeMessage = v.InferOutput<typeof PurgeMessage>

export const toRow = (job: Job): JobRow => ({
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
  updated: job.updated,
  undeliveredAt: undeliveredAt(job.reports.at(-1)),
  sequence: job.sequence,
})

/**
 * How long (ms) a row that the queue took counts as arrived without that being saved: by then the next save has carried
 * it along, which spares a write of its own. Only a job whose object forgot it meanwhile sends its row again.
 */
export const INDEX_LEASE = 10 * MINUTE

/** Owes the index the job's new row. */
export const markIndexDue = (job: Job, now: number): Job => ({
  ...job,
  sequence: job.sequence + 1,
  indexAt: now + INDEX_LEASE,
  indexSends: 0,
})

/** Owes it once more: nobody knows any more whether the queue took it. */
export const markIndexDueAgain = (job: Job, now: number): Job => ({
  ...job,
  indexAt: now + INDEX_LEASE,
  indexSends: job.indexSends + 1,
})

/** The queue took a row: it is listed, and owes nothing if that was its newest. */
export const markIndexed = (job: Job, sequence: number): Job => ({
  ...job,
  listed: true,
  ...(job.sequence === sequence ? { indexAt: null, indexSends: 0 } : {}),
})

/** The queue did not take a row: it is sent again in a minute. */
export const markIndexRefused = (job: Job, sequence: number, now: number): Job =>
  job.sequence === sequence && job.indexAt !== null ? { ...job, indexAt: now + MINUTE } : job

const undeliveredAt = (report: Report | undefined): number | null =>
  report?.state === 'dead' ? (report.attempts.at(-1)?.at ?? report.dueAt) : null
