import type { Order } from '../../contract/order.ts'
import type { Status } from '../../contract/values.ts'
import type { MoneyMove } from '../../psp/answer.ts'
import type { FactOf, Outcome, Wisher } from './facts.ts'
import type { Movement } from './movements.ts'

/**
 * How a job stands: the fold of its journal (`evolve`). It lives in memory alone. Times that end in
 * `At` and `until` are milliseconds, those of the trace microseconds, all by the job's clock;
 * amounts are minor units.
 */
export type State = {
  id: string
  transactionId: string
  fingerprint: string
  pos: string
  origin: string
  /** What the addresses of the job have in place of its id. */
  link: string
  isLive: boolean
  order: Order
  /** µs. */
  created: number
  /** µs: when the shop could last see a change. */
  updated: number
  standing: Standing
  /** Every account that was asked to take the order, or passed over, oldest first. */
  attempts: Attempt[]
  /**
   * How many times the accounts of the route were asked while none had taken the order, and when
   * last.
   */
  rounds: { count: number; entry: number; lastAt: number; notBefore: number }
  /**
   * The payments that accounts hold for the job. The first is the customer's own; others came of
   * lost answers.
   */
  payments: Payment[]
  /** Every movement of money, oldest first. */
  movements: Movement[]
  steps: Step[]
  /** Counts the changes of status and amounts: each is reported. */
  revision: number
  report: Report | null
  refunds: Refund[]
  error: string | null
  /** Set when money came after the job had ended. */
  late: boolean
  cancel: { by: Wisher; at: number } | null
  /**
   * The newest entry that changed the job's row, with when (µs) the job had changed last by then;
   * and the newest that the index has.
   */
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

/** How often the PSP was asked about a payment, and what is owed. */
export type Asks = {
  /** When the question was asked whose answer counts; 0 for none. */
  answeredAt: number
  /** When the PSP was asked last, whether it answered or not. */
  lastAt: number
  notBefore: number
  unanswered: {
    how: FactOf<'unanswered'>['how']
    since: number
    count: number
    message: string
  } | null
  /**
   * A question that is owed since then, because of a notification or of moved money. `isPaid`: the
   * PSP signed that it is paid.
   */
  owed: { since: number; tries: number; isPaid: boolean } | null
  /**
   * Questions by the hub's schedule that the PSP left open since the time to pay was over, and when
   * the last was asked.
   */
  afterEnd: number
  countedAt: number
}

/**
 * One line of the trace. `stage` is missing while the customer may act. Money that went back has
 * totals of its own.
 */
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

/**
 * The report of the newest revision. `tries` are of its present schedule, which an operator may
 * begin anew.
 */
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

/**
 * `asking`: the PSP has not answered. `pending`: it took the refund. `done`: it sent the money.
 * `failed`: none went back.
 */
export type Refund = {
  id: string
  fingerprint: string
  call: string
  account: string
  reference: string
  amount: number
  description: string
  at: number
  state: 'asking' | 'pending' | 'done' | 'failed'
  pspId: string | null
  error: string | null
  checks: number
  lastCheckAt: number
  /** When its state changed last by the PSP's word; 0 for never. */
  answeredAt: number
}

/**
 * `offset` (ms): how far the job's clock is ahead. `wanted`: how far it is to be. `moved`: the real
 * time of the last wish.
 */
export type Clock = { offset: number; wanted: number; moved: number }

export function statusOf({ standing }: Pick<State, 'standing'>): Status {
  switch (standing.is) {
    case 'unannounced':
    case 'open':
    case 'underway':
    case 'authorized':
      return 'PENDING'
    case 'paid':
      return 'SUCCESS'
    case 'ended':
      return standing.as
  }
}

export function paidOf({ payments }: Pick<State, 'payments'>): number {
  return payments.reduce((sum, { paid }) => sum + paid, 0)
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

/**
 * Until when (ms) the job waits: for the customer, or for money that is under way. Infinity once it
 * has ended.
 */
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
