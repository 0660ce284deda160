import type { Status } from '../../contract/values.ts'
import type { MoneyMove } from '../../psp/answer.ts'
import type { FactOf, Outcome, Wisher } from './facts.ts'

/**
 * How a job stands: the fold of its journal (`evolve`). It lives in memory alone. Times that end in
 * `At` and `until` are milliseconds, those of the trace microseconds, all by the job's clock;
 * amounts are minor units.
 */
export type State = Omit<FactOf<'created'>, 'is'> & {
  /** µs. */
  created: number
  /** µs: when the shop could last see a change. */
  updated: number
  standing: Standing
  /** Every account of the route, asked to take the order or not, oldest first. */
  attempts: Attempt[]
  /** How many times the accounts of the route were asked while none took the order; when last. */
  rounds: { count: number; entry: number; lastAt: number; notBefore: number }
  /** What accounts hold for the job: first the customer's own, then those of lost answers. */
  payments: Payment[]
  steps: Step[]
  /** Counts the changes of status and amounts: each is reported. */
  revision: number
  report: Report | null
  refunds: Refund[]
  error: string | null
  /** Set when money came after the job had ended. */
  late: boolean
  cancel: { by: Wisher; at: number } | null
  /** The newest entry that changed the row, when (µs) that was, and the newest in the index. */
  index: { changed: number; updated: number; written: number }
  clock: Clock
  /** The newest entry: its number and its time (µs). */
  entry: { number: number; at: number }
}

/** What the job waits for, or how it ended. A shop reads the first four as PENDING. */
export type Standing =
  | { is: 'unannounced'; until: number }
  | { is: 'open'; until: number }
  | { is: 'underway' | 'authorized'; since: number; until: number }
  | { is: 'paid'; at: number }
  | { is: 'ended'; as: 'FAILURE' | 'CANCELLED' | 'EXPIRED'; at: number }

export type Attempt = { account: string; at: number; ms: number; outcome: Outcome }

/** A payment at an account, as its PSP said last. */
export type Payment = {
  account: string
  reference: string
  checkoutUrl: string
  /** When the PSP ends it by itself; after a day where it does not say. */
  expiresAt: number
  paid: number
  refunded: number
  chargedBack: number
  /** The part of `refunded` that others than the hub gave back. */
  foreign: number
  /** Nobody can pay it any more, as the PSP says. */
  over: boolean
  /** What notifications told, each move once. */
  moves: MoneyMove[]
  /** The PSP's other reference, which refunds need at some PSPs. */
  other: string | null
  asks: Asks
}

/** How often the PSP was asked about a payment, and what came of it. */
export type Asks = {
  /** When the question was asked whose answer counts; 0 for none. */
  answeredAt: number
  /** When the PSP was asked last, whether it answered or not. */
  lastAt: number
  notBefore: number
  unanswered: (Pick<FactOf<'unanswered'>, 'how' | 'message'> & { since: number; count: number }) | null
  /** A notification or moved money calls for a question. `isPaid`: the PSP signed that. */
  prompted: { since: number; tries: number; isPaid: boolean } | null
  /** Questions by schedule since the time to pay was over, and when the last was asked. */
  afterEnd: number
  countedAt: number
}

/** One line of the trace. `stage` is missing while the customer may act. */
export type Step = {
  at: number
  action: Action
  status: Status
  paid: number
  stage?: 'underway' | 'authorized'
  refunded: number
  chargedBack: number
}
export type Action = 'Start' | 'Return' | 'Statuspull' | 'Expire' | 'Cancel' | 'Refund' | 'Chargeback'

/** The report of the newest revision. `tries`: since its schedule began (anew). */
export type Report = {
  revision: number
  state: 'due' | 'delivered' | 'given-up'
  since: number
  tries: number
  notBefore: number
  /** All tries of all revisions, oldest first. */
  history: ReportTry[]
}
export type ReportTry = Omit<FactOf<'report-tried'>, 'is' | 'notBefore'>

export type Refund = Omit<FactOf<'refund-asked'>, 'is' | 'refund'> & {
  id: string
  at: number
  /** How often the PSP was asked to make it, and when last. */
  round: number
  askedAt: number
  /**
   * The PSP made none yet, and is asked again; it has not answered; it took the refund; it sent the
   * money; none went back.
   */
  state: 'waiting' | 'asking' | 'pending' | 'done' | 'failed'
  pspId: string | null
  error: string | null
  checks: number
  lastCheckAt: number
  /** When its state changed last by the PSP's word; 0 for never. */
  answeredAt: number
}

/** How far (ms) the job's clock is ahead and is to be, and when (real) it was changed last. */
export type Clock = { offset: number; wanted: number; moved: number }

export function statusOf({ standing }: Pick<State, 'standing'>): Status {
  if (standing.is === 'ended') return standing.as
  return standing.is === 'paid' ? 'SUCCESS' : 'PENDING'
}

export function paidOf({ payments }: Pick<State, 'payments'>): number {
  return payments.reduce((sum, { paid }) => sum + paid, 0)
}

/** When (ms) the PSP was asked last how a payment stands; 0 for never. */
export function askedAt({ payments }: Pick<State, 'payments'>): number {
  return Math.max(...payments.map(({ asks }) => asks.lastAt), 0)
}

export type Where = { account: string; reference: string }

export function findPayment({ payments }: State, { account, reference }: Where): Payment | undefined {
  return payments.find((one) => one.account === account && one.reference === reference)
}

export function changePayment(state: State, where: Where, change: (payment: Payment) => Payment): State {
  const found = findPayment(state, where)
  return found
    ? { ...state, payments: state.payments.map((one) => (one === found ? change(one) : one)) }
    : state
}

export function isPending({ standing }: State): boolean {
  return standing.is !== 'paid' && standing.is !== 'ended'
}

/** Until when (ms) the job waits, for its customer or for money; Infinity once it has ended. */
export function untilOf({ standing }: State): number {
  return 'until' in standing ? standing.until : Infinity
}

export function ended(state: State, as: 'FAILURE' | 'CANCELLED' | 'EXPIRED', at: number): State {
  return { ...state, standing: { is: 'ended', as, at } }
}

export function settledAt(state: State, at: number): State {
  return { ...state, standing: { is: 'paid', at } }
}

/** What went back of all payments. */
export function backOf({ payments }: State): { refunded: number; chargedBack: number } {
  return {
    refunded: payments.reduce((sum, payment) => sum + payment.refunded, 0),
    chargedBack: payments.reduce((sum, payment) => sum + payment.chargedBack, 0),
  }
}
