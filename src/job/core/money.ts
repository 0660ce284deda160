import type { Status } from '../../contract/values.ts'
import { partsOfPayment, signedIn, takenIn } from './parts.ts'
import {
  type Instruction,
  type Ledger,
  type Payment,
  type Where,
  about,
  isUnderWay,
  ofKind,
} from './payment.ts'
import { type ReportTry, type Reservation, type State, alsoPaidBy, isPending } from './state.ts'

/*
 * Every figure of money of a job, in minor units. No other file adds money or compares it with the amount of
 * an order. A payment's own totals are those of its `Ledger`; `ledger.ts` says how they come about.
 */

type Payments = { readonly payments: readonly Payment[] }

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, one) => sum + one, 0)
}

function sumIn({ payments }: Payments, figure: (payment: Payment) => number): number {
  return sumOf(payments.map(figure))
}

/** Sums the instructions that have not failed. */
export function committed(instructions: readonly Instruction[]): number {
  return sumOf(instructions.filter(({ state }) => state !== 'failed').map(({ amount }) => amount))
}

function underWay(instructions: readonly Instruction[]): number {
  return committed(instructions.filter(isUnderWay))
}

/** Returns the instructions of some kinds about one payment. */
export function ofPayment(state: Pick<State, 'instructions'>, where: Where, ...kinds: Instruction['kind'][]) {
  return about(ofKind(state, ...kinds), where)
}

// What was paid, and what the order still asks for.

export function paidOf(state: Payments): number {
  return sumIn(state, ({ paid }) => paid)
}

/** Returns what was paid on top of the order. */
export function tipOf(state: Payments): number {
  return sumIn(state, ({ tip }) => tip)
}

/** Returns what would still be due if `paid` were paid. */
export function dueAfter({ order }: Pick<State, 'order'>, paid: number): number {
  return Math.max(order.amount - paid, 0)
}

/** Returns by how much `money` exceeds the order's amount. */
export function surplusIn({ order }: Pick<State, 'order'>, money: number): number {
  return Math.max(money - order.amount, 0)
}

/** Returns what is still due: nothing once the point of sale has given up what it did not capture. */
export function dueOf(state: State): number {
  return isRestGivenUp(state) ? 0 : dueAfter(state, paidOf(state) - tipOf(state))
}

/** Returns what is due by a row of the index, as `dueOf` does by the state: nothing once the job is paid. */
export function dueIn({ status, amount, paid }: { status: Status; amount: number; paid: number }): number {
  return status === 'SUCCESS' ? 0 : Math.max(amount - paid, 0)
}

/** Returns how much more was paid than the order asks for, not counting a tip. */
export function surplusOf(state: State): number {
  return surplusIn(state, paidOf(state) - tipOf(state))
}

/** Returns whether the point of sale captured a part, and the PSP does not hold the rest any more. */
function isRestGivenUp(state: State): boolean {
  const { payments, standing } = state
  if (paidOf(state) === 0) return false
  return standing.is === 'paid' || (heldOf(state).released > 0 && payments.every((one) => heldBy(one) === 0))
}

// Money that a PSP holds for a later capture.

/** Returns what the PSP still holds of a payment for a capture. */
export function heldBy({
  authorized,
  paid,
  lost,
  released,
}: Omit<Ledger, 'refunded' | 'chargedBack'>): number {
  return Math.max(authorized - (paid - lost) - released, 0)
}

export function heldOf(state: Pick<State, 'payments' | 'order'>): Reservation {
  return state.order.capture === 'manual'
    ? {
        authorized: sumIn(state, ({ authorized }) => authorized),
        released: sumIn(state, ({ released }) => released),
      }
    : { authorized: 0, released: 0 }
}

/** Returns the amount that the point of sale gave up by releasing it. */
export function releasedOf(state: State): number {
  const { released } = heldOf(state)
  return isPending(state) ? released : Math.min(released, dueAfter(state, paidOf(state)))
}

/** Returns how much is captured or being captured that the payment does not count yet. */
function onItsWay(state: State, payment: Payment): number {
  const { paid, lost, foreignCaptured } = payment
  return Math.max(foreignCaptured + committed(ofPayment(state, payment, 'capture')) - (paid - lost), 0)
}

/** Returns whether a release, or a capture of the last part, ends the reservation of a payment. */
function isEnding(state: State, payment: Payment): boolean {
  return ofPayment(state, payment, 'capture', 'release').some(
    (one) =>
      (one.kind === 'release' || one.final) &&
      (isUnderWay(one) || (one.state === 'done' && one.answeredAt > payment.asks.answeredAt)),
  )
}

/** Returns how much of a payment can still be captured or released. */
export function capturableOf(state: State, payment: Payment): number {
  return isEnding(state, payment) ? 0 : Math.max(heldBy(payment) - onItsWay(state, payment), 0)
}

/** Returns how much of some payments, or of all, can still be captured or released. */
export function capturableIn(state: State, payments: readonly Payment[] = state.payments): number {
  return sumIn({ payments }, (payment) => capturableOf(state, payment))
}

/**
 * Returns how much reserved money the order can use and is not on its way already: what is due or, once the job
 * is paid, what a capture took out again by failing after all.
 */
export function uncoveredOf(state: State): number {
  const bounced = sumIn(state, ({ authorized, lost }) => (authorized > 0 ? lost : 0))
  const usable = state.standing.is === 'paid' ? bounced : dueOf(state)
  return Math.max(usable - sumIn(state, (payment) => onItsWay(state, payment)), 0)
}

// Money that went back, or may go back.

/**
 * Returns what went back from a payment. Money that was never the merchant's after all counts as refunded, as far
 * as it had not been refunded before: no more goes back than was paid.
 */
export function backFrom({ paid, refunded, lost, chargedBack }: Ledger) {
  return { refunded: Math.max(refunded, Math.min(refunded + lost, paid)), chargedBack }
}

export function backOf(state: Payments): { refunded: number; chargedBack: number } {
  return {
    refunded: sumIn(state, (payment) => backFrom(payment).refunded),
    chargedBack: sumIn(state, ({ chargedBack }) => chargedBack),
  }
}

/** Returns what counted as paid, and was never the merchant's. */
export function lostOf(state: Payments): number {
  return sumIn(state, ({ lost }) => lost)
}

/** Returns what was refunded, without what counts as refunded because it was never the merchant's. */
export function refundedOf(state: Payments): number {
  return sumIn(state, ({ refunded }) => refunded)
}

/** Sums all refunds of a payment, including those on their way, and counts none twice. */
function refundsOf(state: State, payment: Payment): number {
  const wanted = payment.foreign + committed(ofPayment(state, payment, 'refund'))
  return Math.max(backFrom(payment).refunded, backFrom({ ...payment, refunded: wanted }).refunded)
}

/** Returns what went back to the customer, or is on its way. */
function allRefunds(state: State): number {
  return sumIn(state, (payment) => refundsOf(state, payment))
}

/** Returns what has surely been refunded: some PSPs count a refund as soon as they take it. */
export function arrivedRefunds(state: State): number {
  return sumIn(state, (payment) =>
    Math.min(
      backFrom(payment).refunded,
      refundsOf(state, payment) - underWay(ofPayment(state, payment, 'refund')),
    ),
  )
}

/** Returns how much is on its way back to the customer. */
export function refundsOnTheirWay(state: State): number {
  return allRefunds(state) - arrivedRefunds(state)
}

/**
 * Returns what the customer paid. Of a payment that has ended unpaid it is what the PSP has signed as authorised
 * and did not cancel: a person who finds that money at the PSP must be able to give it back. If the order only
 * reserves, so does an authorisation.
 */
function takenOf({ standing, order }: State, { paid, lost, authorized, moves }: Payment): number {
  const isShown = paid > 0 || authorized > 0 || standing.is !== 'ended'
  return isShown || order.capture === 'manual' ? paid - lost : takenIn(moves)
}

/** Returns whether anything was paid that a refund could be about. */
export function isRefundable(state: State): boolean {
  return state.payments.some((payment) => payment.paid > 0 || takenOf(state, payment) > 0)
}

/** Returns what may still go back: the amount taken, less all that went back or may yet. */
export function refundableOf(state: State, payment: Payment): number {
  const { paid, chargedBack, foreign, moves } = payment
  const taken = takenOf(state, payment)
  const wanted = committed(ofPayment(state, payment, 'refund'))
  // Of money that only its signature shows, the hub counts no total that went back.
  const isSigned = paid === 0 && taken > 0
  const gone = isSigned ? Math.max(wanted, taken - (signedIn(moves) ?? 0)) : foreign + wanted
  return Math.max(taken - chargedBack - gone, 0)
}

/** Money that an instruction can be about: of a payment, or of one of its parts. */
export type Source = { where: Where & { part?: string }; rest: number }

/** Returns how much can be captured, released or refunded of each payment, the most first. */
export function sourcesOf(state: State, kind: Instruction['kind']): Source[] {
  const sources = state.payments.flatMap((payment) => sourcesIn(state, payment, kind))
  return sources.toSorted((one, other) => other.rest - one.rest)
}

function sourcesIn(state: State, payment: Payment, kind: Instruction['kind']): Source[] {
  const { account, reference, moves } = payment
  const where = { account, reference }
  if (kind !== 'refund') {
    const held = capturableOf(state, payment)
    return [{ where, rest: kind === 'release' ? held : Math.min(held, uncoveredOf(state)) }]
  }
  const rest = refundableOf(state, payment)
  const parts = partsOfPayment(moves, payment.paid > 0 ? payment.paid : takenOf(state, payment))
  if (parts.length === 0) return [{ where, rest }]
  return parts.map(({ part, amount, refunded, cancelled, chargedBack }) => {
    const ofPart = ofKind(state, 'refund').filter((refund) => refund.part === part)
    const onTheirWay = underWay(ofPart)
    const gone = Math.max(refunded, committed(ofPart) - onTheirWay) + onTheirWay
    const left = Math.max(amount - chargedBack - cancelled - gone, 0)
    return { where: { ...where, part }, rest: Math.min(rest, left) }
  })
}

/** Returns the most that can be captured, released or refunded by one instruction. */
export function mostOf(state: State, kind: Instruction['kind']): number {
  return sourcesOf(state, kind)[0]?.rest ?? 0
}

// Money that pays no order.

/** Returns how much of what was paid has not gone back, and is not on its way back. */
function keptOf(state: State): number {
  return paidOf(state) - tipOf(state) - backOf(state).chargedBack - allRefunds(state)
}

/**
 * Returns whether the shop has accepted a report that the job is paid. Money that came late then pays the
 * order, unless another job of the order number was paid too.
 */
export function isLateAccepted(state: State): boolean {
  const { late, report, standing } = state
  if (!late || standing.is !== 'paid' || report === null || alsoPaidBy(state).length > 0) return false
  const isOfPaid = ({ result, began }: ReportTry) => result === 'delivered' && began > standing.at
  return report.state === 'delivered' || report.history.some(isOfPaid)
}

/**
 * Returns the money that the merchant has although it pays no order: a part of an order that ended, more than was
 * due, a second payment, or one that came after the end and that the shop has not accepted. It counts until it is
 * refunded, another job has collected the rest of the order, or an operator has cleared it.
 */
export function unappliedOf(state: State): number {
  if (isPending(state)) return 0
  const kept = keptOf(state)
  const { standing, late, alsoPaid, cleared } = state
  if (standing.is === 'paid' && (!late || isLateAccepted(state))) return surplusIn(state, kept - cleared)
  const isWhole = (money: number) => dueAfter(state, money) === 0 && surplusIn(state, money) === 0
  const isCollected = alsoPaid.some(({ paid }) => paid > 0 && isWhole(paid + kept))
  return isCollected ? 0 : Math.max(0, kept - cleared)
}
