import { formatAmount } from '../../contract/money.ts'
import { formatMicros, isoTime } from '../../contract/timestamp.ts'
import type { JobReport } from '../../contract/failing-reports.ts'
import {
  type Refund,
  type ReportTry,
  type State,
  type Step,
  alsoPaidBy,
  backOf,
  paidOf,
  statusOf,
} from './state.ts'

/** Returns the address at which the customer pays. */
export function payUrl({ origin, link }: Pick<State, 'origin' | 'link'>): string {
  return `${origin}/pay/${link}`
}

/** Returns the job as the retrieve operation and the reports show it. */
export function represent(state: State) {
  const paid = paidOf(state)
  const back = shownBack(state, backOf(state))
  const others = alsoPaidBy(state)
  return {
    ...head(state),
    amountPaid: amount(state, paid),
    ...back,
    ...(others.length > 0 ? { alsoPaidBy: others } : {}),
    ...tail(state),
    payments: {
      creationDate: formatMicros(state.steps.at(-1)?.at ?? state.created),
      status: statusOf(state),
      ...amounts(state, paid),
      ...back,
      steps: state.steps.map((step) => shownStep(state, step)),
    },
    error: state.error,
  }
}

/** Returns the job as the create shows it: a number 0 for `amountPaid`, and steps alone. */
export function representCreated(state: State) {
  const paid = paidOf(state)
  return {
    ...head(state),
    amountPaid: paid === 0 ? (0 as const) : amount(state, paid),
    ...tail(state),
    payments: { steps: state.steps.map((step) => shownStep(state, step)) },
    error: state.error,
  }
}

function head(state: State) {
  const { id, order, created, updated } = state
  return {
    paymentJob: id,
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    created: formatMicros(created),
    lastUpdate: formatMicros(updated),
    language: order.language,
    currency: order.currency,
    amountDue: amount(state, dueOf(state, paidOf(state))),
  }
}

function tail(state: State) {
  const { paymentMethod, returnUrl, reportUrl } = state.order
  return {
    paymentMethod,
    status: statusOf(state),
    payUrl: payUrl(state),
    attributes: { returnUrl, reportUrl },
  }
}

function shownStep(state: State, step: Step) {
  const { at, action, status, paid, stage, back } = step
  return {
    creationDate: formatMicros(at),
    ...(action === 'Start' ? { transactionId: state.transactionId } : {}),
    action,
    status,
    ...(stage ? { stage } : {}),
    ...amounts(state, paid),
    ...(back ? shownBack(state, back) : {}),
  }
}

/** Returns what went back, without totals of 0: most payments look as the API documents them. */
function shownBack(state: State, { refunded, chargedBack }: { refunded: number; chargedBack: number }) {
  return {
    ...(refunded > 0 ? { amountRefunded: amount(state, refunded) } : {}),
    ...(chargedBack > 0 ? { amountChargedBack: amount(state, chargedBack) } : {}),
  }
}

function amounts(state: State, paid: number) {
  return { amountDue: amount(state, dueOf(state, paid)), amountPaid: amount(state, paid) }
}

/** Returns what is still due (minor units); 0 when more was paid. */
function dueOf({ order }: State, paid: number): number {
  return Math.max(order.amount - paid, 0)
}

function amount({ order }: State, minor: number): string {
  return formatAmount(minor, order.currency)
}

/** A refund is PENDING until the PSP says that the money went back, or did not. */
const REFUND_STATUS = {
  waiting: 'PENDING',
  asking: 'PENDING',
  pending: 'PENDING',
  done: 'SUCCESS',
  failed: 'FAILURE',
} as const

export function representRefund(state: State, refund: Refund) {
  return {
    refund: refund.id,
    paymentJob: state.id,
    created: formatMicros(refund.at * 1000),
    currency: state.order.currency,
    amount: amount(state, refund.amount),
    description: refund.description,
    status: REFUND_STATUS[refund.state],
    error: refund.error,
  }
}

/** Returns the description of a refund to which nobody gave one. */
export function describeRefund({ order }: State): string {
  return `Refund of order ${order.orderNumber}`
}

/** Returns the tries by revision. The hub does not try a report that a newer one replaced. */
export function representReports({ report }: State, due: number | null): JobReport[] {
  if (!report) return []
  const tries = Map.groupBy(report.history, ({ revision }) => revision)
  const newest = tries.get(report.revision) ?? []
  tries.set(report.revision, newest)
  return Array.from(tries, ([revision, all]) => ({
    revision,
    state: revision === report.revision ? report.state : stateOf(all),
    due: revision === report.revision ? isoTime(due) : null,
    attempts: all.map(({ began, ms, outcome, answer }) => ({
      at: isoTime(began + ms),
      outcome,
      milliseconds: ms,
      ...(answer === undefined ? {} : { answer }),
    })),
  }))
}

function stateOf(tries: readonly ReportTry[]) {
  return tries.some(({ result }) => result === 'delivered') ? 'delivered' : 'given-up'
}
