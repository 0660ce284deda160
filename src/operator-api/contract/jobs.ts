import * as v from 'valibot'
import { Why } from './why.ts'

/** What the operator API answers about payment jobs. */

const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])

/** A payment job as the index has it, which may lag by seconds. */
export const ListedJob = v.object({
  id: v.string(),
  created: v.string(),
  pos: v.string(),
  /** The name of the point of sale; its id where there is none of that id any more. */
  posName: v.string(),
  account: v.string(),
  /** The PSP's own id of the payment, once it is announced. */
  reference: v.nullable(v.string()),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.string(),
  paid: v.string(),
  status: Status,
  updated: v.string(),
  /** Since when a report is owed to the shop, and when it was given up; null while all is well. */
  owedSince: v.nullable(v.string()),
  givenUp: v.nullable(v.string()),
})
export type ListedJob = v.InferOutput<typeof ListedJob>

/**
 * The answer of `GET /jobs`, newest first. `next` is the `after` of the next page, or null at the end. A page of a search that is
 * filtered may have few jobs, or none, and still a next one.
 */
export const JobList = v.object({ jobs: v.array(ListedJob), next: v.nullable(v.string()) })
export type JobList = v.InferOutput<typeof JobList>

/** One line of a payment job's trace. The first has the `transactionId`. */
export const JobStep = v.object({
  creationDate: v.string(),
  transactionId: v.optional(v.string()),
  action: v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel', 'Refund', 'Chargeback']),
  status: Status,
  stage: v.optional(v.picklist(['underway', 'authorized'])),
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.optional(v.string()),
  amountChargedBack: v.optional(v.string()),
})
export type JobStep = v.InferOutput<typeof JobStep>

/** The report of one revision, with every try. `due` is when a waiting one is tried next. */
export const JobReport = v.object({
  revision: v.number(),
  state: v.picklist(['waiting', 'delivered', 'dead']),
  due: v.nullable(v.string()),
  attempts: v.array(
    v.object({
      at: v.string(),
      outcome: v.string(),
      /** How long the receiver took, and how its answer began where it was no 2xx. */
      milliseconds: v.optional(v.number()),
      answer: v.optional(v.string()),
    }),
  ),
})
export type JobReport = v.InferOutput<typeof JobReport>

/** The answer of `POST /jobs/{id}/refunds`: a refund that was asked for here. `error` says why it failed. */
export const JobRefund = v.object({
  refund: v.string(),
  paymentJob: v.string(),
  created: v.string(),
  currency: v.string(),
  amount: v.string(),
  description: v.string(),
  status: v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  error: v.nullable(v.string()),
})
export type JobRefund = v.InferOutput<typeof JobRefund>

/** The answer of `GET /jobs/{id}` and `POST /jobs/{id}/resend`: as the POS reads it, with the account and the reports. */
export const JobDetail = v.object({
  paymentJob: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  created: v.string(),
  lastUpdate: v.string(),
  language: v.string(),
  currency: v.string(),
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.optional(v.string()),
  amountChargedBack: v.optional(v.string()),
  paymentMethod: v.string(),
  status: Status,
  payUrl: v.string(),
  attributes: v.object({ returnUrl: v.string(), reportUrl: v.string() }),
  payments: v.object({
    creationDate: v.string(),
    status: Status,
    amountDue: v.string(),
    amountPaid: v.string(),
    amountRefunded: v.optional(v.string()),
    amountChargedBack: v.optional(v.string()),
    steps: v.array(JobStep),
  }),
  error: v.nullable(v.string()),
  pos: v.string(),
  /** The name of the point of sale; its id where it has no name, or where that cannot be read now. */
  posName: v.string(),
  account: v.string(),
  announcement: v.picklist(['due', 'announced', 'refused']),
  /** The PSP's own id of the payment, once it is announced. */
  reference: v.nullable(v.string()),
  /** What a PENDING payment waits for, where that is not the customer. */
  stage: v.nullable(v.picklist(['underway', 'authorized'])),
  /** Whether money came after the job had ended. */
  late: v.boolean(),
  refunds: v.array(JobRefund),
  /** Payments that other accounts hold or may hold: one of them did not answer when the order was announced there. */
  otherPayments: v.array(
    v.object({ account: v.string(), reference: v.nullable(v.string()), amountPaid: v.string() }),
  ),
  reports: v.array(JobReport),
  /** Accounts that were tried in vain before the one that has the payment, or that the job still tries. */
  passedOver: v.array(v.string()),
  /** Accounts before it that were not asked when the job was created, because they had not answered since then. */
  skipped: v.array(v.object({ account: v.string(), since: v.string() })),
  /** What the job does by itself, and when; null for what is not planned. */
  timers: v.object({
    expires: v.nullable(v.string()),
    nextPull: v.nullable(v.string()),
    nextAnnouncement: v.nullable(v.string()),
    nextReport: v.nullable(v.string()),
    purge: v.nullable(v.string()),
  }),
  why: Why,
})
export type JobDetail = v.InferOutput<typeof JobDetail>
