import type { RefundAnswer } from '../../psp/answer.ts'
import type { Job } from './job.ts'
import { type MoneyBack, NOTHING_BACK, settledBy } from './money-back.ts'
import { paidElsewhere } from './other-payments.ts'
import { withoutRefund } from './record-money-back.ts'
import { type Refund, committed, isSettled } from './refund.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { nextRefundCheckAt } from './schedule.ts'
import { DAY, MINUTE } from '../../contract/timestamp.ts'
import { pullSooner } from './transition.ts'

/**
 * A refund that somebody asks for; `amount` is in minor units, null for all that is left. `id` is the PSP's idempotency key;
 * `call` tells a request from its repetition.
 */
export type WantedRefund = {
  id: string
  fingerprint: string
  call: string
  amount: number | null
  description: string
}

/** Why a refund is not asked for at the PSP. `rest` is what could be refunded, in minor units. */
export type RefundRefusal =
  | { is: 'unpaid' }
  | { is: 'nothing-left' }
  | { is: 'too-much'; rest: number }
  | { is: 'other-refund' }
  | { is: 'too-many' }

/**
 * What may still be refunded, in minor units: what was paid at the job's own account, less what went back, and what refunds may
 * yet take.
 */
export function refundable(job: Job): number {
  const { chargedBack, elsewhere, refunds } = job.moneyBack ?? NOTHING_BACK
  return Math.max(job.paid - paidElsewhere(job) - chargedBack - elsewhere - committed(refunds), 0)
}

/** What the customer reads of a refund that nobody has described. */
export function describeRefund({ order }: Job): string {
  return `Refund of order ${order.orderNumber}`
}

export function findRefund(job: Job, id: string): Refund | null {
  return job.moneyBack?.refunds.find((refund) => refund.id === id) ?? null
}

/**
 * Decides about a refund before the PSP is asked, so that never more goes back than was paid, however many ask at once. The
 * same id again gives the refund that is there.
 */
export function beginRefund(
  job: Job,
  wanted: WantedRefund,
  now: number,
  random: number,
): Result<Job, RefundRefusal> {
  const known = findRefund(job, wanted.id)
  if (known) return known.fingerprint === wanted.fingerprint ? ok(job) : refuse({ is: 'other-refund' })
  if (job.paid === 0) return refuse({ is: 'unpaid' })
  if ((job.moneyBack?.refunds.length ?? 0) >= MOST_REFUNDS) return refuse({ is: 'too-many' })
  const rest = refundable(job)
  if (rest === 0) return refuse({ is: 'nothing-left' })
  const amount = wanted.amount ?? rest
  if (amount > rest) return refuse({ is: 'too-much', rest })
  const { id, fingerprint, call, description } = wanted
  const refund: Refund = {
    id,
    fingerprint,
    call,
    amount,
    description,
    at: now,
    state: 'asking',
    reference: null,
    error: null,
    checks: 0,
    checkAt: nextRefundCheckAt(0, now, random),
  }
  const back = job.moneyBack ?? NOTHING_BACK
  return ok({ ...job, moneyBack: { ...back, refunds: [...back.refunds, refund] } })
}

/** Refunds of one payment, those that failed too: all are stored together. */
const MOST_REFUNDS = 100

/** How long (ms) after it was asked for a refund that the PSP does not know counts as never taken. */
const LOST_AFTER = 10 * MINUTE

/** When (ms) after a change of a refund the totals of the payment are asked for, unless they are known by then. */
const TOTALS_AFTER = 2 * MINUTE

/**
 * Records what the PSP says of a refund. What is settled stays as it is, unless a refund that was done fails after all. A
 * notification may have told of it before the PSP's own answer was here. Where it has moved money, the totals of the payment
 * are to be pulled: at once by whoever asked, and by the alarm where that gets no answer.
 */
export function recordRefund(job: Job, id: string, answer: RefundAnswer, now: number): Job {
  const refund = findRefund(job, id)
  if (!refund || !job.moneyBack) return job
  const answered = afterAnswer(refund, answer, now)
  const next = answer.is === 'taken' ? settledBy(answered, job.moneyBack.moves) : answered
  if (next === refund) return job
  const refunds = job.moneyBack.refunds.map((other) => (other.id === id ? next : other))
  const moneyBack = { ...job.moneyBack, refunds }
  const hasMoved = answer.is === 'taken' || answer.is === 'failed'
  return hasMoved
    ? pullSooner({ ...job, moneyBack }, now + TOTALS_AFTER)
    : { ...job, moneyBack: withoutRefund(moneyBack) }
}

function afterAnswer(refund: Refund, answer: RefundAnswer, now: number): Refund {
  switch (answer.is) {
    case 'taken': {
      if (isSettled(refund)) return refund
      const reference = answer.reference ?? refund.reference
      return answer.state === 'done'
        ? { ...refund, state: 'done', reference, checkAt: null }
        : refund.state === 'pending' && refund.reference === reference
          ? refund
          : { ...refund, state: 'pending', reference }
    }
    case 'refused':
    case 'failed':
      return refund.state === 'failed' ? refund : failed(refund, answer.message)
    case 'unknown':
      return refund.state === 'asking' && now >= refund.at + LOST_AFTER
        ? failed(refund, 'The payment service provider was not reached.')
        : refund
    case 'unavailable':
      return refund
  }
}

function failed(refund: Refund, error: string): Refund {
  return {
    ...refund,
    state: 'failed',
    error,
    checkAt: null,
  }
}

/** The refund whose state is to be asked for next, and when (ms); null when none is. */
export function nextRefundCheck({ moneyBack }: Job): { id: string; at: number } | null {
  return (
    (moneyBack?.refunds ?? [])
      .flatMap(({ id, checkAt }) => (checkAt === null ? [] : [{ id, at: checkAt }]))
      .toSorted((one, other) => one.at - other.at)[0] ?? null
  )
}

/** Plans the check after one, whatever that one finds; none after thirty days: then an operator has to look. */
export function planNextCheck(job: Job, id: string, now: number, random: number): Job {
  const { moneyBack } = job
  if (!moneyBack) return job
  const refunds = moneyBack.refunds.map((refund) =>
    refund.id === id
      ? { ...refund, checks: refund.checks + 1, checkAt: nextCheckOf(refund, now, random) }
      : refund,
  )
  return { ...job, moneyBack: { ...moneyBack, refunds } satisfies MoneyBack }
}

const LONGEST_CHECKS = 30 * DAY

function nextCheckOf(refund: Refund, now: number, random: number): number | null {
  return now >= refund.at + LONGEST_CHECKS ? null : nextRefundCheckAt(refund.checks + 1, now, random)
}
