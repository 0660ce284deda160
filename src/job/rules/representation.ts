import { type Job, type Step } from './job.ts'
import type { MoneyBackStep } from './money-back.ts'
import { formatAmount } from '../../contract/money.ts'
import { formatMicros } from '../../contract/timestamp.ts'

/** Where the customer is sent to pay. */
export function payUrl(job: Job): string {
  return `${job.origin}/pay/${job.id}`
}

/** The payment job as the retrieve operation and the reports show it. */
export function represent(job: Job) {
  return {
    ...head(job),
    amountPaid: formatAmount(job.paid, job.order.currency),
    ...moneyBackOf(job, job.moneyBack),
    ...tail(job),
    payments: {
      creationDate: formatMicros(Math.max(...[...job.steps, ...moneyBackSteps(job)].map(({ at }) => at))),
      status: job.status,
      ...amounts(job, job.paid),
      ...moneyBackOf(job, job.moneyBack),
      steps: steps(job),
    },
    error: job.error,
  }
}

/** The payment job as the create operation shows it: `amountPaid` is the number 0, and `payments` holds steps alone. */
export function representCreated(job: Job) {
  return {
    ...head(job),
    amountPaid: job.paid === 0 ? (0 as const) : formatAmount(job.paid, job.order.currency),
    ...tail(job),
    payments: { steps: steps(job) },
    error: job.error,
  }
}

function head({ id, order, created, updated, paid }: Job) {
  return {
    paymentJob: id,
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    created: formatMicros(created),
    lastUpdate: formatMicros(updated),
    language: order.language,
    currency: order.currency,
    amountDue: formatAmount(dueOf(order, paid), order.currency),
  }
}

function tail(job: Job) {
  return {
    paymentMethod: job.order.paymentMethod,
    status: job.status,
    payUrl: payUrl(job),
    attributes: { returnUrl: job.order.returnUrl, reportUrl: job.order.reportUrl },
  }
}

/** The trace in order of time. What went back is told beside what was paid. */
function steps(job: Job) {
  const told = job.steps.map((step) => ({ at: step.at, shown: representStep(job, step) }))
  const back = moneyBackSteps(job).map((step) => ({ at: step.at, shown: representMoneyBack(job, step) }))
  return [...told, ...back].toSorted((one, other) => one.at - other.at).map(({ shown }) => shown)
}

function representStep(job: Job, step: Step) {
  return {
    creationDate: formatMicros(step.at),
    ...(step.action === 'Start' ? { transactionId: job.transactionId } : {}),
    action: step.action,
    status: step.status,
    ...(step.stage ? { stage: step.stage } : {}),
    ...amounts(job, step.paid),
  }
}

function representMoneyBack(job: Job, step: MoneyBackStep) {
  return {
    creationDate: formatMicros(step.at),
    action: step.action,
    ...standingAt(job, step.at),
    ...moneyBackOf(job, step),
  }
}

/** How the payment stood when money went back: as the last step before that told it. */
function standingAt(job: Job, at: number) {
  const step = job.steps.findLast((before) => before.at < at)
  return { status: step?.status ?? job.status, ...amounts(job, step?.paid ?? job.paid) }
}

function moneyBackSteps({ moneyBack }: Job): readonly MoneyBackStep[] {
  return moneyBack?.steps ?? []
}

/** What went back, where it is more than nothing: an answer of a payment that is simply paid stays as it is documented. */
function moneyBackOf({ order }: Job, back: Pick<MoneyBackStep, 'refunded' | 'chargedBack'> | undefined) {
  return {
    ...(back?.refunded ? { amountRefunded: formatAmount(back.refunded, order.currency) } : {}),
    ...(back?.chargedBack ? { amountChargedBack: formatAmount(back.chargedBack, order.currency) } : {}),
  }
}

function amounts({ order }: Job, paid: number) {
  return {
    amountDue: formatAmount(dueOf(order, paid), order.currency),
    amountPaid: formatAmount(paid, order.currency),
  }
}

/** Minor units that are still due; nothing when more was paid than was due. */
function dueOf({ amount }: Job['order'], paid: number): number {
  return Math.max(amount - paid, 0)
}
