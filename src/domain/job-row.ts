import * as v from 'valibot'
import { Job, Status } from './job.ts'

/** A job as the operators' index holds it. A row with a higher `revision` replaces one with a lower. */
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
  revision: v.number(),
})
export type JobRow = v.InferOutput<typeof JobRow>

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
  revision: job.revision,
})
