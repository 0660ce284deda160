import * as v from 'valibot'
import { Status, Integer } from '../../contract/values.ts'
import { Order } from '../../contract/order.ts'
import { AskedAccounts } from './asked-accounts.ts'
import { JobClock } from '../../contract/job-clock.ts'
import { MoneyBack } from './money-back.ts'
import { OtherPayment } from './other-payment.ts'
import { Stage } from './stage.ts'
import { Unanswered } from './unanswered.ts'

export const Action = v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel'])
export type Action = v.InferOutput<typeof Action>

/** One line of the trace: what a source said, and how the job stood after it. `stage` is missing while the job is open. */
export const Step = v.object({
  at: Integer,
  action: Action,
  status: Status,
  paid: Integer,
  stage: v.exactOptional(Stage.entries.is),
})
export type Step = v.InferOutput<typeof Step>

/**
 * How far the job is with its PSP. Only an announced payment can be paid, pulled or stopped. `accountRefused`: the PSP answered, but not
 * to the account, whose key is wrong or blocked.
 */
export const Announcement = v.variant('is', [
  v.object({
    is: v.literal('due'),
    tries: Integer,
    at: Integer,
    accountRefused: v.exactOptional(v.literal(true)),
  }),
  v.object({ is: v.literal('announced'), reference: v.string(), checkoutUrl: v.string() }),
  v.object({ is: v.literal('refused') }),
])
export type Announcement = v.InferOutput<typeof Announcement>

/**
 * A try to deliver a report: when (ms) and the receiver's status code, or a word for why there is none; how long it took (ms), and how
 * the answer began where it was no 2xx. Only the last few tries have an `answer`.
 */
export const Attempt = v.object({
  at: Integer,
  outcome: v.string(),
  milliseconds: v.exactOptional(Integer),
  answer: v.exactOptional(v.string()),
})
export type Attempt = v.InferOutput<typeof Attempt>

/** Whether the receiver took the report: it answered with a 2xx. */
export function isTaken({ outcome }: Attempt): boolean {
  return outcome.startsWith('2')
}

/**
 * The report of one revision. `dueAt` (ms) says when a waiting one may be tried next, `tries` how far it is in its
 * schedule; `attempts` is its whole history. `again` is set while an older report may arrive after it: then it is sent
 * once more when it has been delivered.
 */
export const Report = v.object({
  revision: Integer,
  state: v.picklist(['waiting', 'delivered', 'dead']),
  dueAt: Integer,
  tries: Integer,
  attempts: v.array(Attempt),
  again: v.exactOptional(v.literal(true)),
})
export type Report = v.InferOutput<typeof Report>

/** Whose wish it was that a payment is stopped. */
export const Canceller = v.picklist(['shop', 'operator'])
export type Canceller = v.InferOutput<typeof Canceller>

/** The one report now with the queue. No result by `until` (ms) means that the queue lost it. */
export const InFlightReport = v.object({ revision: Integer, until: Integer, sends: Integer })
export type InFlightReport = v.InferOutput<typeof InFlightReport>

/**
 * A payment job as its object stores it. `created`, `updated` and steps are in microseconds, timers in milliseconds.
 * `revision` counts the changes of status or amount, `sequence` those of its row in the index, from 0 where the first
 * rests. `indexAt` says when the newest row is sent, or sent again, null once the index queue has taken it; `indexSends` counts the repetitions, and `listed` says
 * whether the queue has ever taken one. `flight` is the one report that the queue has now. `alarmAt` is when the object's
 * alarm is set to; that and `pullAt` may be older in storage than in memory (see `isWorthSaving`). `stage` is missing while
 * the customer may still act. `closed` is set once the PSP's word is final for good: nothing can be paid any more. `late`
 * is set when money came after the job had ended. `askedForPullAt` is the time (ms) that the newest pull of a job was asked for
 * that had ended, until the PSP has answered. `moneyBack` is missing until its money moves again after the payment.
 * `passedOver` are accounts that were tried in vain before `account`. `cancelledBy` says whose wish a
 * `Cancel` was. `unanswered` is there while the PSP does not answer pulls.
 * `asked` says how its announcement went when it was created.
 * `clock` is there for a test job whose shop let time pass: all times of the job from then on are that clock's, the timers too.
 * `ahead` (ms) is how much time still has to pass.
 */
export const Job = v.object({
  id: v.string(),
  transactionId: v.string(),
  fingerprint: v.string(),
  pos: v.string(),
  account: v.string(),
  origin: v.string(),
  order: Order,
  status: Status,
  paid: Integer,
  error: v.nullable(v.string()),
  created: Integer,
  updated: Integer,
  steps: v.array(Step),
  announcement: Announcement,
  expiresAt: Integer,
  lastPulls: Integer,
  pullAt: v.nullable(Integer),
  revision: Integer,
  sequence: Integer,
  listed: v.boolean(),
  indexAt: v.nullable(Integer),
  indexSends: Integer,
  reports: v.array(Report),
  flight: v.nullable(InFlightReport),
  alarmAt: v.nullable(Integer),
  stage: v.exactOptional(Stage),
  closed: v.exactOptional(v.literal(true)),
  late: v.exactOptional(v.literal(true)),
  askedForPullAt: v.exactOptional(Integer),
  otherPayments: v.exactOptional(v.array(OtherPayment)),
  moneyBack: v.exactOptional(MoneyBack),
  passedOver: v.exactOptional(v.array(v.string())),
  cancelledBy: v.exactOptional(Canceller),
  unanswered: v.exactOptional(Unanswered),
  asked: v.exactOptional(AskedAccounts),
  clock: v.exactOptional(JobClock),
  ahead: v.exactOptional(Integer),
})
export type Job = v.InferOutput<typeof Job>

export function isFinal(status: Status): boolean {
  return status !== 'PENDING'
}

/** When (ms) the job was created. */
export function createdAt(job: Job): number {
  return job.created / 1000
}

/** When (ms) the job first ended; null for one that is PENDING. */
export function endedAt(job: Job): number | null {
  const end = job.steps.find((step) => isFinal(step.status))
  return end === undefined ? null : Math.floor(end.at / 1000)
}

/** Until when (ms) the job waits: for the customer, or for money that is under way. */
export function waitsUntil(job: Job): number {
  return job.stage?.until ?? job.expiresAt
}

/**
 * Whether a changed job is worth a write. Timers that follow from its age are not: when they are lost with the object's
 * memory, the next alarm finds them anew. Nor is that one more pull had no answer. That a pull was brought forward, or is not needed any more, follows from nothing.
 */
export function isWorthSaving(before: Job, after: Job): boolean {
  if (isSooner(after.pullAt, before.pullAt) || (after.pullAt === null) !== (before.pullAt === null))
    return true
  if (after.unanswered?.is !== before.unanswered?.is) return true
  const { pullAt, alarmAt, unanswered } = after
  const timeless = new Map(Object.entries({ ...before, pullAt, alarmAt, unanswered }))
  return Object.entries(after).some(([name, value]) => timeless.get(name) !== value)
}

function isSooner(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one < other
}

/** Whether a change is the first that shows more paid than was due, or still more. */
export function isNewlyOverpaid(before: Job | null, after: Job): boolean {
  return after.paid > after.order.amount && after.paid > (before?.paid ?? 0)
}
