import * as v from 'valibot'
import { Capture, Refund } from './instruction.ts'
import { JobReport } from './failing-reports.ts'
import { type Operations, done, LOOK } from './operation.ts'
import { PaymentJob, PaymentJobEvents } from './payment-job.ts'
import { operatorTime } from './queries.ts'
import { Mode, Stage } from './values.ts'
import { Why } from './why.ts'

/**
 * The answer of `GET /jobs/{id}` and `POST /jobs/{id}/resend`: the job as its point of sale reads
 * it, with the account and the reports.
 */
export const JobDetail = v.object({
  ...PaymentJob.entries,
  pos: v.string(),
  mode: Mode,
  /** The name of the point of sale; its id if it has no name, or if the hub cannot read it now. */
  posName: v.string(),
  account: v.string(),
  announcement: v.picklist(['due', 'announced', 'refused']),
  /** The PSP's id of the payment, once it is announced. */
  reference: v.nullable(v.string()),
  /** The state of a PENDING payment that does not wait for its customer. */
  stage: v.nullable(Stage),
  /** Money arrived after the job had ended. */
  late: v.boolean(),
  /** The money that pays no order, until it is refunded, the rest is collected, or it is cleared. */
  unapplied: v.string(),
  /** Every capture, release, refund and dispute, whoever began it. */
  transfers: v.array(
    v.object({
      kind: v.picklist(['capture', 'release', 'refund', 'dispute']),
      account: v.string(),
      /** The PSP's id; `total` for money that the PSP shows only in its total. */
      id: v.nullable(v.string()),
      /** The hub's id, if a shop, an operator or the hub asked for it. */
      own: v.nullable(v.string()),
      amount: v.string(),
      /** `asked`: the PSP has not answered. `returned`: it was done, and the money came back. */
      state: v.picklist(['asked', 'pending', 'done', 'failed', 'returned']),
      asked: v.nullable(v.string()),
      /** When the hub learnt of the state; null if it does not know. */
      changed: v.nullable(v.string()),
      why: v.nullable(v.string()),
    }),
  ),
  captures: v.array(Capture),
  /** The most that an operator can capture or release. */
  capturable: v.string(),
  refunds: v.array(Refund),
  /** The most that a refund can give back. */
  refundable: v.string(),
  /**
   * Payments that other accounts have or may have: such an account did not answer when the hub
   * announced the order there.
   */
  otherPayments: v.array(
    v.object({ account: v.string(), reference: v.nullable(v.string()), amountPaid: v.string() }),
  ),
  reports: v.array(JobReport),
  /** Accounts that the hub tried in vain before the one that has the payment, or the one it is still trying. */
  passedOver: v.array(v.string()),
  /**
   * Accounts earlier in the route that the hub skipped when it created the job: their breaker had
   * been open since `since`, or they had too many orders at once.
   */
  skipped: v.array(v.object({ account: v.string(), since: v.string() })),
  /**
   * When the hub last asked the PSP about the payment, answered or not, as far as it remembers: it
   * does not store an answer without news.
   */
  askedAt: v.nullable(v.string()),
  /** When the hub next asks by itself, never in the past; null if it does not ask any more. */
  nextAskAt: v.nullable(v.string()),
  /** When the hub will next do each of these by itself; null if it does not plan to. */
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

/**
 * The answer of `GET /jobs/{id}/journal`: the job's entries, oldest first. Times in facts are in
 * milliseconds, amounts in minor units. `hash` covers the entry and all entries before it
 * (docs/storage/shapes.md).
 */
export const JobJournal = v.object({
  paymentJob: v.string(),
  entries: v.array(
    v.object({
      number: v.number(),
      at: v.string(),
      version: v.number(),
      facts: v.array(v.objectWithRest({ is: v.string() }, v.unknown())),
      hash: v.string(),
    }),
  ),
})
export type JobJournal = v.InferOutput<typeof JobJournal>

const LOOK_AT_JOB = { ...LOOK, problems: ['job-not-found'] } as const

export const JOB_DETAIL_OPERATIONS = {
  showJob: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id',
    summary: 'See everything about a payment job',
    description:
      'As its point of sale reads it, with its account, its refunds, every try of its reports, and why it stands as it does. With `at`, ' +
      'as it stood at that time, with what the hub then knew and planned.',
    query: v.object({
      at: v.optional(
        operatorTime(
          'As it stood at the end of this millisecond of its own clock; for a future time, as it stands now.',
        ),
      ),
    }),
    answer: done(JobDetail),
  },
  showJournal: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id/journal',
    summary: 'Read the journal of a payment job',
    description:
      'Every fact that the hub knows about the payment, in the order in which it learned them. Entries never change: keep a ' +
      '`hash`, and you can later prove that everything up to it is unchanged. It has no personal data of the customer.',
    answer: done(JobJournal),
  },
  watchJob: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id/events',
    summary: 'Follow a payment job',
    description: 'For up to eight hours. A job has at most 250 watchers.',
    headers: ['LastEventId'],
    answer: { status: 200, description: 'The stream of its events.', events: PaymentJobEvents },
    problems: ['job-not-found', 'too-many-watchers'],
  },
} as const satisfies Operations
