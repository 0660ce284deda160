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
export const Forgotten = v.object({
  forgotten: v.object({ id: v.string(), created: v.number(), pos: v.string() }),
})
export type Forgotten = v.InferOutput<typeof Forgotten>

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

/** Owes the index the job's new row. */
export const indexed = (job: Job, now: number): Job => ({
  ...job,
  sequence: job.sequence + 1,
  indexAt: now + MINUTE,
})

const undeliveredAt = (report: Report | undefined): number | null =>
  report?.state === 'dead' ? (report.attempts.at(-1)?.at ?? report.dueAt) : null
