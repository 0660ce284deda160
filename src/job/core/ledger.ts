import type { Observation, MoneyMove } from '../../psp/answer.ts'
import { eachInstruction, settledByMoves } from './instructions.ts'
import { capturedIn, failedCapturesIn, letGoIn, backIn } from './parts.ts'
import {
  type Instruction,
  type Ledger,
  type Payment,
  type Where,
  about,
  committed,
  isUnderWay,
  withOthers,
} from './payment.ts'
import { type State, changePayment, findPayment } from './state.ts'

/**
 * Counts a payment's ledger by the PSP's totals. They may fall: a refund fails, a chargeback is reversed,
 * or a capture fails after all. Once the job is paid, a failed capture counts as money that went back.
 */
export function withTotals(payment: Payment, totals: Partial<Ledger>, state: State): Payment {
  const authorized = totals.authorized ?? payment.authorized
  const isSettled = state.standing.is === 'paid'
  const counted = payment.paid - payment.lost
  // An answer that lags behind must not take off what is captured and counted already.
  const atLeast = authorized > 0 ? Math.min(doneCaptures(state, payment), counted) : payment.paid
  const captured = Math.max(totals.paid ?? 0, atLeast)
  const paid = isSettled ? Math.max(payment.paid, captured) : captured
  const lost = authorized > 0 ? paid - captured : (totals.lost ?? payment.lost)
  const taken = { ...payment, authorized, paid, released: totals.released ?? payment.released }
  if (paid === 0) return withOthers({ ...taken, lost: 0, refunded: 0 }, state)
  const refunded = (totals.refunded ?? payment.refunded - payment.lost) + lost
  const next = { ...taken, lost, refunded, chargedBack: totals.chargedBack ?? payment.chargedBack }
  return withOthers(next, state)
}

/** Sums what the PSP said was captured (minor units). */
export function doneCaptures({ captures }: State, payment: Payment): number {
  return committed(
    about(captures, payment).filter(({ kind, state }) => kind === 'capture' && state === 'done'),
  )
}

export function withReservation(payment: Payment, answer: Observation): Payment {
  const { authorizedAt, captureBefore, inParts } = answer
  return {
    ...payment,
    authorizedAt: authorizedAt ?? payment.authorizedAt,
    captureBefore: captureBefore ?? payment.captureBefore,
    inParts: inParts ?? payment.inParts,
  }
}

/** Counts the moves of money that only notifications report, and settles instructions by them. */
export function withMoves(state: State, where: Where, now: number): State {
  const payment = findPayment(state, where)
  if (!payment || payment.moves.length === 0) return state
  const settled = eachInstruction(state, (one) => settledByMoves(one, payment.moves, now))
  return changePayment(settled, where, (one) => withTotals(one, totalsOfMoves(one, settled), settled))
}

function totalsOfMoves(payment: Payment, { captures }: State): Partial<Ledger> {
  const { moves, authorized } = payment
  if (authorized === 0) {
    const { refunded, cancelled, chargedBack } = backIn(moves, payment.paid)
    const lost = Math.min(cancelled + failedCapturesIn(moves), payment.paid)
    return { refunded: refunded - cancelled, lost, chargedBack }
  }
  const paid = Math.min(capturedIn(moves), authorized)
  const { refunded, cancelled, chargedBack } = backIn(moves, paid)
  const isFinal = about(captures, payment).some(({ state, final }) => state === 'done' && final)
  const released = isFinal ? authorized - paid : Math.min(letGoIn(moves), authorized - paid)
  return { paid, released, refunded: refunded - cancelled, chargedBack }
}

export function freshMoves(
  moves: readonly MoneyMove[],
  { moves: known, authorized }: Pick<Payment, 'moves' | 'authorized'>,
  { currency, capture }: State['order'],
): MoneyMove[] {
  const ids = new Set(known.map(({ id }) => id))
  // If the PSP captures by itself, a capture is no news, unless an earlier one failed.
  const isReserved = capture === 'manual' || authorized > 0
  const isNews = ({ kind }: MoneyMove) =>
    kind !== 'capture' || isReserved || [...known, ...moves].some((one) => one.kind === 'capture-failed')
  return moves.filter((move) => {
    const isFresh = !ids.has(move.id) && (move.currency ?? currency) === currency && isNews(move)
    ids.add(move.id)
    return isFresh
  })
}

/** Sums all refunds of a payment, including those on their way, and counts none twice. */
function refundsOf(payment: Payment, refunds: readonly Instruction[]): number {
  return Math.max(payment.refunded, payment.foreign + committed(about(refunds, payment)))
}

/** Returns what has surely been refunded: some PSPs count a refund as soon as they take it. */
export function arrivedRefunds({ payments, refunds }: State): number {
  return payments.reduce((sum, payment) => {
    const unsettled = about(refunds, payment).filter(isUnderWay)
    return sum + Math.min(payment.refunded, refundsOf(payment, refunds) - committed(unsettled))
  }, 0)
}

/** Returns what went back to the customer, or is on its way (minor units). */
export function allRefunds({ payments, refunds }: State): number {
  return payments.reduce((sum, payment) => sum + refundsOf(payment, refunds), 0)
}

/** Returns how much is on its way back to the customer (minor units). */
export function refundsOnTheirWay(state: State): number {
  return allRefunds(state) - arrivedRefunds(state)
}
