import * as v from 'valibot'

/** A payment job in a list: as the index has it, which is a moment behind the job itself. It has no trace. */
export const ListedPaymentJob = v.object({
  paymentJob: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  created: v.string(),
  lastUpdate: v.string(),
  currency: v.string(),
  /** What the order asked for. */
  amount: v.string(),
  amountDue: v.string(),
  amountPaid: v.string(),
  paymentMethod: v.string(),
  status: v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
})
export type ListedPaymentJob = v.InferOutput<typeof ListedPaymentJob>

/** The answer of `GET /v2/paymentjobs`, newest first. `next` is the `after` of the next page, or null at the end. */
export const PaymentJobList = v.object({
  paymentJobs: v.array(ListedPaymentJob),
  next: v.nullable(v.string()),
  lagSeconds: v.number(),
})
export type PaymentJobList = v.InferOutput<typeof PaymentJobList>
