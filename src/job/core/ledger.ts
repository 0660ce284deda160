import type { MoneyMove, Observation } from '../../psp/answer.ts'
import { eachInstruction, settledByMoves } from './instructions.ts'
import { committed, ofPayment } from './money.ts'
import { backIn, failedCapturesIn } from './parts.ts'
import { withOthers } from './others.ts'
import type { Ledger, Payment, Where } from './payment.ts'
import { type State, changePayment, findPayment } from './state.ts'
import { type Lists, type Totals, doneIn, listsOfMoves } from './transfers.ts'

/*
 * How a payment's totals come about: by the lists in the PSP's answers, by its own totals where it lists
 * nothing, or by the moves of money that only its notifications report.
 */

/** Returns the totals in an answer: the PSP's own or, where it shows none, the sums of its lists. */
export function totalsIn(answer: Observation, transfers: Lists): Partial<Ledger> {
  const { authorized, paid } = answer
  const released = answer.released ?? doneIn(transfers.release)
  const refunded = answer.refunded ?? doneIn(transfers.refund)
  // A PSP's total may still count a chargeback that was reversed.
  const chargedBack = doneIn(transfers.dispute) ?? answer.chargedBack
  return {
    paid,
    ...(authorized === undefined ? {} : { authorized }),
    ...(released === undefined ? {} : { released }),
    ...(refunded === undefined ? {} : { refunded }),
    ...(chargedBack === undefined ? {} : { chargedBack }),
  }
}

/** Returns the PSP's own totals in an answer, by kind. Nothing goes back of what was never paid. */
export function sumsIn({ paid }: Payment, answer: Observation): Totals {
  const isPaid = Math.max(paid, answer.paid) > 0
  const back = isPaid ? { refund: answer.refunded, dispute: answer.chargedBack } : {}
  return { capture: answer.paid, release: answer.released, ...back }
}

/**
 * Counts a payment's ledger by its totals. They may fall: a refund fails, a chargeback is reversed, or a capture
 * fails after all. Once the job is paid, a failed capture counts as money that went back.
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
  const { refunded = payment.refunded, chargedBack = payment.chargedBack } = totals
  return withOthers({ ...taken, lost, refunded, chargedBack }, state)
}

/** Sums what the PSP said was captured (minor units). */
function doneCaptures(state: State, payment: Payment): number {
  return committed(ofPayment(state, payment, 'capture').filter((one) => one.state === 'done'))
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

function totalsOfMoves(payment: Payment, state: State): Partial<Ledger> {
  const { moves, authorized, paid } = payment
  if (authorized === 0) {
    const { refunded, cancelled, chargedBack } = backIn(moves, paid)
    const lost = Math.min(cancelled + failedCapturesIn(moves), paid)
    return { refunded: refunded - cancelled, lost, chargedBack }
  }
  const { capture, release } = listsOfMoves(moves)
  const captured = Math.min(doneIn(capture) ?? 0, authorized)
  const { refunded, cancelled, chargedBack } = backIn(moves, captured)
  const own = ofPayment(state, payment, 'capture').filter((one) => one.state === 'done')
  // A PSP that reports captures only so cancels what a capture by hand leaves.
  const isFinal = own.some(({ final }) => final) || captured > committed(own)
  const released = isFinal ? authorized - captured : Math.min(doneIn(release) ?? 0, authorized - captured)
  return { paid: captured, released, refunded: refunded - cancelled, chargedBack }
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
