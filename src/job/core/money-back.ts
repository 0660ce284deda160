import type { Answer, MoneyMove } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import { toldBack } from './parts.ts'
import { LOOK } from './schedule.ts'
import {
  type Payment,
  type Refund,
  type State,
  type Where,
  changePayment,
  findPayment,
  withPrompt,
} from './state.ts'
import { withBackSteps } from './trace.ts'

/** Takes in that the hub asks for a refund, for the first time or again after a `not-yet`. */
export function refundAsked(state: State, fact: FactOf<'refund-asked'>, now: number): State {
  const { is: _, refund: id, ...wanted } = fact
  const known = state.refunds.find((one) => one.id === id)
  const asked = { state: 'asking', askedAt: now, lastCheckAt: now } as const
  if (known) {
    const again: Refund = { ...known, ...asked, round: known.round + 1 }
    return { ...state, refunds: state.refunds.map((one) => (one === known ? again : one)) }
  }
  const unanswered = { pspId: null, error: null, answeredAt: 0 }
  return {
    ...state,
    refunds: [...state.refunds, { ...wanted, id, at: now, round: 1, ...asked, ...unanswered }],
  }
}

/** Takes in the answer to a refund. A done refund may still fail; a failed one stays failed. */
export function refundAnswered(
  state: State,
  { refund: id, outcome }: FactOf<'refund-answered'>,
  now: number,
): State {
  const refund = state.refunds.find((one) => one.id === id)
  if (!refund) return state
  const checked = { ...refund, lastCheckAt: now }
  const moves = findPayment(state, refund)?.moves ?? []
  const next = settledByMoves(withOutcome(checked, outcome), moves, now)
  const isMoved = next.state !== refund.state && next.state !== 'waiting'
  const after = isMoved ? { ...next, answeredAt: now } : next
  const refunds = state.refunds.map((one) => (one === refund ? after : one))
  const answered = { ...state, refunds }
  if (!isMoved) return answered
  // The PSP may refuse because somebody refunded at the PSP itself, so the hub asks for the totals.
  const isRefused = 'accountRefused' in outcome
  return changePayment(answered, refund, (payment) => {
    const counted = { ...payment, foreign: foreignOf(payment, refunds) }
    return isRefused ? counted : withPrompt(counted, now)
  })
}

function withOutcome(refund: Refund, outcome: FactOf<'refund-answered'>['outcome']): Refund {
  if (outcome.is === 'failed')
    return refund.state === 'failed'
      ? refund
      : {
          ...refund,
          state: 'failed',
          error: outcome.message,
          ...(outcome.accountRefused ? { unseen: true } : {}),
        }
  if (outcome.is === 'not-yet') return refund.state === 'asking' ? postponed(refund, outcome.message) : refund
  if (outcome.is === 'no-answer' || refund.state === 'failed' || refund.state === 'done') return refund
  return {
    ...refund,
    state: outcome.is === 'done' ? 'done' : 'pending',
    error: null,
    pspId: outcome.reference ?? refund.pspId,
  }
}

/** Takes in the PSP's totals. Totals may fall: a refund fails, or a chargeback is reversed. */
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
 * Returns what was refunded, but not by the hub (minor units). The PSP's total may or may not
 * include a refund of the hub that is unsettled, or that was settled after the hub asked for the
 * total, so the earlier amount then stays if it is higher.
 */
function foreignOf(payment: Payment, all: readonly Refund[]): number {
  const refunds = refundsAt(all, payment)
  const others = Math.max(payment.refunded - committed(refunds), 0)
  const isUnsure = refunds.some((one) => isUnderWay(one) || one.answeredAt > payment.asks.answeredAt)
  return isUnsure ? Math.max(payment.foreign, others) : others
}

export function refundsAt(refunds: readonly Refund[], { account, reference }: Where): Refund[] {
  return refunds.filter((refund) => refund.account === account && refund.reference === reference)
}

/** Sums the refunds that have not failed (minor units). */
export function committed(refunds: readonly Refund[]): number {
  return refunds.filter(({ state }) => state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
}

/** Counts the money moves that only notifications tell, and settles refunds by them. */
export function withMoves(state: State, where: Where, now: number): State {
  const payment = findPayment(state, where)
  if (!payment || payment.moves.length === 0) return state
  const refunds = state.refunds.map((refund) => settledByMoves(refund, payment.moves, now))
  const totals = toldBack(payment.moves, payment.paid)
  const counted = changePayment({ ...state, refunds }, where, (one) => withTotals(one, totals, refunds))
  return withBackSteps(state, counted)
}

function settledByMoves(refund: Refund, moves: readonly MoneyMove[], now: number): Refund {
  const own = moves.filter((move) => move.refund === refund.id || move.reference === refund.pspId)
  const told = (kind: MoneyMove['kind']) => own.filter((move) => move.kind === kind)
  const [failure] = told('refund-failed')
  if (failure)
    return refund.state === 'failed'
      ? refund
      : { ...refund, state: 'failed', error: failure.error ?? refund.error, answeredAt: now }
  if (told('refund').length > 0)
    return refund.state === 'done' ? refund : { ...refund, state: 'done', answeredAt: now }
  const notYet = told('refund-not-yet')[refund.round - 1]
  const isOpen = refund.state === 'asking' || refund.state === 'pending'
  return isOpen && notYet
    ? { ...postponed(refund, notYet.error ?? null), lastCheckAt: now, answeredAt: now }
    : refund
}

/** How often, over more than a day, the hub asks for a refund that the PSP does not make yet. */
const MOST_ROUNDS = LOOK.length + 1

function postponed(refund: Refund, error: string | null): Refund {
  return { ...refund, state: refund.round < MOST_ROUNDS ? 'waiting' : 'failed', error }
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

/** Sums all refunds of a payment, also those on their way, and counts none twice. */
function refundsOf(payment: Payment, refunds: readonly Refund[]): number {
  return Math.max(payment.refunded, payment.foreign + committed(refundsAt(refunds, payment)))
}

/** Returns what is refunded for sure: some PSPs count a refund as soon as they take it. */
export function arrivedRefunds({ payments, refunds }: State): number {
  return payments.reduce((sum, payment) => {
    const unsettled = refundsAt(refunds, payment).filter(isUnderWay)
    return sum + Math.min(payment.refunded, refundsOf(payment, refunds) - committed(unsettled))
  }, 0)
}

export function isUnderWay({ state }: Pick<Refund, 'state'>): boolean {
  return state !== 'done' && state !== 'failed'
}

/** Returns how much is on its way back to the customer (minor units). */
export function refundsOnTheirWay(state: State): number {
  const all = state.payments.reduce((sum, payment) => sum + refundsOf(payment, state.refunds), 0)
  return all - arrivedRefunds(state)
}
