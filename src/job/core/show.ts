import { formatAmount } from '../../contract/money.ts'
import {
  FIGURES,
  type Figure,
  type FigureWith,
  type RecordBy,
  figuresOfSteps,
  figuresWith,
} from '../../contract/money-figures.ts'
import { formatMicros, isoTime } from '../../contract/timestamp.ts'
import type { PaymentJob } from '../../contract/payment-job.ts'
import type { JobReport } from '../../contract/failing-reports.ts'
import { type Instruction, OF_RESERVED, ofKind } from './payment.ts'
import { reservedUntil } from './reserved.ts'
import { type ReportTry, type State, type TraceStep, alsoPaidBy, statusOf } from './state.ts'
import { chargeOf, doubtUntil, terminalState } from './terminal.ts'
import { dueOf, paidOf } from './money.ts'
import { sumsOf } from './sums.ts'
import { signedOnly } from './signed-not-shown.ts'

export function payUrl({ origin, link }: Pick<State, 'origin' | 'link'>): string {
  return `${origin}/pay/${link}`
}

/** Returns the job as the retrieve operation and the reports show it. */
export function represent(state: State) {
  const money = amounts(state, sumsOf(state, figuresOfSteps()))
  const ends = reservedUntil(state)
  const others = alsoPaidBy(state)
  return {
    ...head(state),
    ...money,
    ...(ends === null ? {} : { captureBefore: formatMicros(ends * 1000) }),
    ...(others.length > 0 ? { alsoPaidBy: others } : {}),
    ...tail(state),
    payments: {
      creationDate: formatMicros(state.steps.at(-1)?.at ?? state.created),
      status: statusOf(state),
      ...money,
      steps: state.steps.map((step) => shownStep(state, step)),
    },
    ...atTerminal(state),
    error: errorOf(state) ?? captureError(state),
  }
}

/** Returns what went wrong. A customer at a terminal must know whether they may pay another way. */
function errorOf(state: State): string | null {
  const { error } = state
  const charge = chargeOf(state)
  if (charge === 'perhaps') return signedOnly(state) ? CHARGED : UNCONFIRMED
  const isUnpaid = charge === 'none' && statusOf(state) === 'FAILURE'
  return error !== null && isUnpaid ? `${asSentence(error)} No money was taken.` : error
}

const LOOK = 'Do not take the money again: look at the payment at the payment service provider.'
const CHARGED = `perhaps_charged: The bank says that the card was charged. ${LOOK}`
const UNCONFIRMED = `perhaps_charged: Nobody has said whether the card was charged. ${LOOK}`

/** Adds the full stop that a PSP's words may lack. */
export function asSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function atTerminal(state: State): Pick<PaymentJob, 'terminal' | 'amountTip' | 'card'> {
  const { order, payments } = state
  if (!order.terminal) return {}
  const card = payments.find(({ paid }) => paid > 0)?.card
  const until = doubtUntil(state)
  return {
    terminal: {
      id: order.terminal.id,
      state: terminalState(state),
      ...(until === null ? {} : { knownBy: formatMicros(until * 1000) }),
    },
    ...someOf(state, figuresWith('atTerminal')),
    ...(card ? { card } : {}),
  }
}

/** Returns why the newest capture or release failed that a shop or an operator asked for. */
function captureError(state: State): string | null {
  const newest = ofKind(state, ...OF_RESERVED).findLast(({ byHub }) => !byHub)
  return newest?.state === 'failed' ? newest.error : null
}

/** Returns the job as the create shows it: a number 0 for `amountPaid`, and of the payments only steps. */
export function representCreated(state: State) {
  const paid = paidOf(state)
  return {
    ...head(state),
    amountDue: amount(state, dueOf(state)),
    amountPaid: paid === 0 ? (0 as const) : amount(state, paid),
    ...tail(state),
    payments: { steps: state.steps.map((step) => shownStep(state, step)) },
    ...atTerminal(state),
    error: errorOf(state),
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

function shownStep(state: State, step: TraceStep) {
  const { at, action, status, stage } = step
  return {
    creationDate: formatMicros(at),
    ...(action === 'Start' ? { transactionId: state.transactionId } : {}),
    action,
    status,
    ...(stage ? { stage } : {}),
    ...amounts(state, step),
  }
}

function amounts(state: State, figures: Pick<TraceStep, 'due' | 'paid' | FigureWith<'inTrace'>>) {
  return {
    amountDue: amount(state, figures.due),
    amountPaid: amount(state, figures.paid),
    ...someOf(state, figuresWith('inTrace'), figures),
  }
}

/** Leaves out zeros, so that most payments look as the API documents them. */
function someOf(
  state: State,
  names: readonly Figure[],
  figures: Partial<Record<Figure, number>> = sumsOf(state, names),
): Partial<RecordBy<'api', Figure, string>> {
  const known = names.map((name) => [FIGURES[name].api, figures[name] ?? 0] as const)
  return Object.fromEntries(known.flatMap(([api, minor]) => (minor > 0 ? [[api, amount(state, minor)]] : [])))
}

function amount({ order }: State, minor: number): string {
  return formatAmount(minor, order.currency)
}

/** An instruction is PENDING until the PSP says that the money moved, or did not. */
const INSTRUCTION_STATUS = {
  waiting: 'PENDING',
  asking: 'PENDING',
  pending: 'PENDING',
  done: 'SUCCESS',
  failed: 'FAILURE',
} as const

function representInstruction(state: State, one: Instruction) {
  return {
    paymentJob: state.id,
    created: formatMicros(one.at * 1000),
    currency: state.order.currency,
    amount: amount(state, one.amount),
    description: one.description,
    status: INSTRUCTION_STATUS[one.state],
    error: one.error,
  }
}

export function representRefund(state: State, refund: Instruction) {
  return { refund: refund.id, ...representInstruction(state, refund) }
}

/** Shows a refund of all that was left of one payment. Another payment may have more to refund. */
export function representWholeRefund(state: State, refund: Instruction, remaining: number) {
  const shown = representRefund(state, refund)
  return remaining > 0 ? { ...shown, remaining: amount(state, remaining) } : shown
}

export function representCapture(state: State, capture: Instruction) {
  return { capture: capture.id, ...representInstruction(state, capture), final: capture.final ?? false }
}

/** Returns the captures that a shop or an operator asked for, oldest first. */
export function capturesOf(state: State): Instruction[] {
  return ofKind(state, 'capture').filter(({ byHub }) => !byHub)
}

/** Returns the tries by revision. Only the newest revision is still tried. */
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
