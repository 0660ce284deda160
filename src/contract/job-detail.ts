import * as v from 'valibot'
import { Capture } from './capture.ts'
import { JobReport } from './failing-reports.ts'
import { type Operations, done, LOOK } from './operation.ts'
import { PaymentJob, PaymentJobEvents } from './payment-job.ts'
import { operatorTime } from './queries.ts'
import { Refund } from './refund.ts'
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
  /**
   * The name of the point of sale; its id where it has no name, or where the hub cannot read it
   * now.
   */
  posName: v.string(),
  account: v.string(),
  announcement: v.picklist(['due', 'announced', 'refused']),
  /** The PSP's id of the payment, once the hub announced it. */
  reference: v.nullable(v.string()),
  /** The state of a PENDING payment that does not wait for its customer. */
  stage: v.nullable(Stage),
  /** Money came after the job had ended. */
  late: v.boolean(),
  /** The money that pays no order, until it is given back, collected or cleared. */
  unapplied: v.string(),
  captures: v.array(Capture),
  /** The most that can be captured or released. */
  capturable: v.string(),
  refunds: v.array(Refund),
  /** The most that a refund can give back. */
  refundable: v.string(),
  /**
   * Payments that other accounts hold or may hold: one of these accounts did not answer when the
   * hub announced the order there.
   */
  otherPayments: v.array(
    v.object({ account: v.string(), reference: v.nullable(v.string()), amountPaid: v.string() }),
  ),
  reports: v.array(JobReport),
  /**
   * Accounts that the hub tried in vain before the one that has the payment, or that it still
   * tries.
   */
  passedOver: v.array(v.string()),
  /**
   * Accounts earlier in the route that the hub did not ask first when it created the job: their
   * breaker was open since then, or they had too many orders at once.
   */
  skipped: v.array(v.object({ account: v.string(), since: v.string() })),
  /**
   * When the hub last asked the PSP how the payment stands, whether or not the PSP answered. As far as
   * the hub remembers: an answer that told nothing new is not stored.
   */
  askedAt: v.nullable(v.string()),
  /** When the hub asks next by itself: never in the past; null when it asks no more. */
  nextAskAt: v.nullable(v.string()),
  /** When the hub will do each thing with the job by itself; null for what it does not plan. */
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
    summary: 'See a payment job whole',
    description:
      'As its point of sale reads it, with its account, its refunds, every try of its reports, and why it stands as it does. With `at` ' +
      'it is told as it stood then, with what the hub knew and was about to do.',
    query: v.object({
      at: v.optional(
        operatorTime(
          'As it stood at the end of this millisecond of its own clock; at a time to come, as it stands now.',
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
      'Every fact that the hub knows about the payment, in the order in which it learned them. Nothing in it ever changes: keep a ' +
      '`hash`, and you can tell later whether all up to it is still as it was. Nothing of the customer is in it.',
    answer: done(JobJournal),
  },
  watchJob: {
    ...LOOK_AT_JOB,
    path: '/operator/v1/jobs/:id/events',
    summary: 'Follow a payment job',
    description: 'For up to eight hours. A job has 250 watchers at most.',
    headers: ['LastEventId'],
    answer: {
      status: 200,
      description: 'The stream of its events.',
      events: PaymentJobEvents,
    },
    problems: ['job-not-found', 'too-many-watchers'],
  },
} as const satisfies Operations
