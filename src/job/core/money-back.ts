import type { MoneyMove } from '../../psp/answer.ts'
import type { Answer, FactOf } from './facts.ts'
import { LOOK } from './schedule.ts'
import { type Payment, type Refund, type State, type Where, changePayment, findPayment } from './state.ts'
import { withBackSteps } from './trace.ts'

/** A refund is asked for: a new one, or one that the PSP has not made yet. */
export function refundAsked(state: State, fact: FactOf<'refund-asked'>, now: number): State {
  const { is: _, refund: id, ...wanted } = fact
  const known = state.refunds.find((one) => one.id === id)
  const asked = { state: 'asking', askedAt: now, lastCheckAt: now } as const
  if (known) {
    const again: Refund = { ...known, ...asked, round: known.round + 1 }
    return { ...state, refunds: state.refunds.map((one) => (one === known ? again : one)) }
  }
  const unanswered = { pspId: null, error: null, checks: 0, answeredAt: 0 }
  return {
    ...state,
    refunds: [...state.refunds, { ...wanted, id, at: now, round: 1, ...asked, ...unanswered }],
  }
}

/** A refund that was done may fail after all; one that has failed stays so. */
export function refundAnswered(
  state: State,
  { refund: id, outcome }: FactOf<'refund-answered'>,
  now: number,
): State {
  const refund = state.refunds.find((one) => one.id === id)
  if (!refund) return state
  const checked = { ...refund, checks: refund.checks + 1, lastCheckAt: now }
  const moves = findPayment(state, refund)?.moves ?? []
  const next = settledByMoves(settled(checked, outcome), moves, now)
  const isMoved = next.state !== refund.state && next.state !== 'waiting'
  const after = isMoved ? { ...next, answeredAt: now } : next
  const refunds = state.refunds.map((one) => (one === refund ? after : one))
  const answered = { ...state, refunds }
  if (!isMoved) return answered
  // A refusal may be for money that went back at the PSP itself, so its totals are asked for.
  const isRefused = outcome.is === 'failed' && outcome.accountRefused
  return changePayment(answered, refund, (payment) => ({
    ...payment,
    foreign: foreignOf(payment, refunds),
    asks: isRefused ? payment.asks : { ...payment.asks, prompted: { since: now, tries: 0, isPaid: false } },
  }))
}

function settled(refund: Refund, outcome: FactOf<'refund-answered'>['outcome']): Refund {
  if (outcome.is === 'failed')
    return refund.state === 'failed' ? refund : { ...refund, state: 'failed', error: outcome.message }
  if (outcome.is === 'not-yet') return refund.state === 'asking' ? postponed(refund, outcome.message) : refund
  if (outcome.is === 'no-answer' || refund.state === 'failed' || refund.state === 'done') return refund
  return {
    ...refund,
    state: outcome.is === 'done' ? 'done' : 'pending',
    error: null,
    pspId: outcome.reference ?? refund.pspId,
  }
}

/** Takes in the PSP's totals. They may fall: a refund fails, a chargeback is reversed. */
export function withTotals(
  payment: Payment,
  {
    refunded = payment.refunded,
    chargedBack = payment.chargedBack,
  }: Pick<Answer, 'refunded' | 'chargedBack'>,
  refunds: readonly Refund[],
): Payment {
  if (payment.paid === 0) return payment
  const next = { ...payment, refunded, chargedBack }
  return { ...next, foreign: foreignOf(next, refunds) }
}

/**
 * What others than the hub gave back. While a refund of the hub is unsettled, nobody knows whether
 * the total holds it already: then what was known before stays, where it is more.
 */
function foreignOf(payment: Payment, all: readonly Refund[]): number {
  const refunds = refundsAt(all, payment)
  const others = Math.max(payment.refunded - committed(refunds), 0)
  return refunds.some(isUnderWay) ? Math.max(payment.foreign, others) : others
}

export function refundsAt(refunds: readonly Refund[], { account, reference }: Where): Refund[] {
  return refunds.filter((refund) => refund.account === account && refund.reference === reference)
}

/** What refunds take of what was paid: all but those that failed. */
export function committed(refunds: readonly Refund[]): number {
  return refunds.filter(({ state }) => state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
}

/** Counts moves that only notifications tell, and settles refunds by them. */
export function withMoves(state: State, where: Where, now: number): State {
  const payment = findPayment(state, where)
  if (!payment || payment.moves.length === 0) return state
  const refunds = state.refunds.map((refund) => settledByMoves(refund, payment.moves, now))
  // Several disputes, or one that is told twice, never take more than was paid.
  const chargedBack = Math.min(chargedBackBy(payment.moves), payment.paid)
  const totals = { refunded: refundedBy(payment.moves), chargedBack }
  const counted = changePayment({ ...state, refunds }, where, (one) => withTotals(one, totals, refunds))
  return withBackSteps(state, counted)
}

function settledByMoves(refund: Refund, moves: readonly MoneyMove[], now: number): Refund {
  const own = moves.filter(
    (move) => move.refund === refund.id || (refund.pspId !== null && move.reference === refund.pspId),
  )
  const failure = own.find(({ kind }) => kind === 'refund-failed')
  if (failure && refund.state !== 'failed')
    return { ...refund, state: 'failed', error: failure.error ?? refund.error, answeredAt: now }
  if (!failure && refund.state !== 'done' && own.some(({ kind }) => kind === 'refund'))
    return { ...refund, state: 'done', answeredAt: now }
  const notYet = own.filter(({ kind }) => kind === 'refund-not-yet')
  const isOpen = refund.state === 'asking' || refund.state === 'pending'
  return isOpen && notYet.length >= refund.round
    ? { ...postponed(refund, notYet.at(-1)?.error ?? null), lastCheckAt: now, answeredAt: now }
    : refund
}

/** How often the hub asks for a refund that the PSP does not make yet, over more than a day. */
const MOST_ROUNDS = LOOK.length + 1

function postponed(refund: Refund, error: string | null): Refund {
  return { ...refund, state: refund.round < MOST_ROUNDS ? 'waiting' : 'failed', error }
}

/** The payments that paid an order together; none where one paid it alone. */
export function partsOf({ moves, paid }: Payment): { part: string; amount: number }[] {
  const parts = moves.flatMap(({ kind, reference, amount }) =>
    kind === 'part' && reference !== undefined ? [{ part: reference, amount }] : [],
  )
  return parts.some(({ amount }) => amount >= paid) ? [] : parts
}

export function freshMoves(
  moves: readonly MoneyMove[],
  known: readonly MoneyMove[],
  currency: string,
): MoneyMove[] {
  const ids = new Set(known.map(({ id }) => id))
  return moves.filter((move) => {
    const isFresh = !ids.has(move.id) && (move.currency ?? currency) === currency
    ids.add(move.id)
    return isFresh
  })
}

/** The refunds that have not failed. A failure that is told twice takes back no other refund. */
function refundedBy(moves: readonly MoneyMove[]): number {
  return [...Map.groupBy(moves, ({ reference, refund }) => reference ?? refund).values()].reduce(
    (sum, about) => sum + Math.max(sumOf(about, 'refund') - sumOf(about, 'refund-failed'), 0),
    0,
  )
}

function chargedBackBy(moves: readonly MoneyMove[]): number {
  return Math.max(sumOf(moves, 'chargeback') - sumOf(moves, 'chargeback-reversed'), 0)
}

function sumOf(moves: readonly MoneyMove[], kind: MoneyMove['kind']): number {
  return moves.filter((move) => move.kind === kind).reduce((sum, { amount }) => sum + amount, 0)
}

/** All refunds of a payment, also those on their way, which the PSP's total may have already. */
function refundsOf(payment: Payment, refunds: readonly Refund[]): number {
  return Math.max(payment.refunded, payment.foreign + committed(refundsAt(refunds, payment)))
}

/** What is refunded for sure. Some PSPs count a refund as soon as it is asked for. */
export function arrivedRefunds({ payments, refunds }: State): number {
  return payments.reduce((sum, payment) => {
    const unsettled = refundsAt(refunds, payment).filter(isUnderWay)
    return sum + Math.min(payment.refunded, refundsOf(payment, refunds) - committed(unsettled))
  }, 0)
}

export function isUnderWay({ state }: Pick<Refund, 'state'>): boolean {
  return state !== 'done' && state !== 'failed'
}

/** What is on its way back to the customer. */
export function refundsOnTheirWay(state: State): number {
  const all = state.payments.reduce((sum, payment) => sum + refundsOf(payment, state.refunds), 0)
  return all - arrivedRefunds(state)
}
