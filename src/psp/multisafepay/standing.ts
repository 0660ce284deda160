import { type Meaning, AUTHORIZED, PAID, UNDERWAY, closedAs, wordIn } from '../answer.ts'
import type { Call } from '../http-client.ts'
import {
  type RelatedTransaction,
  type ShownOrder,
  captureIn,
  isUnknown,
  listedOf,
  orderIn,
  pathOf,
  relatedOf,
} from './order.ts'
import {
  CAPTURE_STATUSES,
  REFUNDED_BY_CART,
  RELEASE_STATUSES,
  SHIPPED_FIRST,
  SLOW_METHODS,
  STATUSES,
  WHEN_COMPLETED,
} from './tables.ts'

/** Returns the method that the customer chose, by MultiSafepay's name; null before that. */
export function methodOf({ payment_details }: ShownOrder): string | null {
  return payment_details?.type ?? null
}

/** Returns whether the customer sends the money by a method that may be slow. */
export function isSlow(order: ShownOrder): boolean {
  return SLOW_METHODS.has(methodOf(order) ?? '')
}

/** Returns whether a refund of the order needs its cart, which the hub does not have. */
export function isRefundedByCart(order: ShownOrder): boolean {
  return REFUNDED_BY_CART.has(methodOf(order) ?? '')
}

function isCompleted({ status }: ShownOrder): boolean {
  return status === 'completed' || status === 'shipped'
}

/** Returns the status word that decides the meaning of an order. */
export function decidingWord(order: ShownOrder): string {
  return (isCompleted(order) ? order.financial_status : null) ?? order.status
}

/**
 * Returns the meaning of an order; undefined if the deciding word is unknown. If money was reserved, its
 * ledger decides.
 */
export function meaningOf(order: ShownOrder): Meaning | undefined {
  if (order.status === 'initialized' && isSlow(order)) return UNDERWAY
  const word = wordOf(order)
  const ledger = ledgerOf(order)
  if (ledger && ledger.held > 0) return word && AUTHORIZED
  if (ledger && ledger.captured === 0)
    return word && closedAs(word.is === 'ended' ? word.status : 'CANCELLED')
  return ledger || relatedOf(order, 'chargeback').length > 0 ? PAID : word
}

/**
 * Returns the meaning of an order by its words only. An order may be completed or shipped with its money
 * still under way, as the transaction's status (`financial_status`) shows: Multibanco, Klarna and payments
 * under review are "completed, uncleared" for a time. If that is missing, the order's own status counts.
 * American Express orders stay "completed, initialized" if American Express pays the shop itself
 * (https://docs.multisafepay.com/docs/card-payments); for other cards these words mean reserved.
 */
function wordOf(order: ShownOrder): Meaning | undefined {
  if (!isCompleted(order)) return wordIn(STATUSES, order.status)
  const word = decidingWord(order)
  if (word === 'initialized' && methodOf(order) === 'AMEX') return PAID
  const waitsForShop = order.status === 'completed' && SHIPPED_FIRST.has(methodOf(order) ?? '')
  return waitsForShop && word === 'uncleared' ? AUTHORIZED : wordIn(WHEN_COMPLETED, word)
}

/** An order's reserved money, in minor units. The sum is the order's amount. */
export type Ledger = { captured: number; released: number; held: number }

/**
 * Returns the ledger of an order's reserved money; null if none was reserved, or if MultiSafepay captures
 * it by itself. A captured part is a transaction of its own, and the order keeps its status until the rest
 * is captured, cancelled or expires (https://docs.multisafepay.com/docs/manual-capture). If all was
 * captured in parts, perhaps only `capture_remain` shows that; if the rest was cancelled, perhaps only its
 * transaction does.
 */
export function ledgerOf(order: ShownOrder): Ledger | null {
  if (!isReservation(order)) return null
  const { amount } = order
  const word = wordOf(order)?.is
  const listed = sumOf(capturesOf(order))
  const remain = order.payment_details?.capture_remain ?? null
  const isCancelled = relatedOf(order, 'auth-cancellation').some(isReleased)
  const isPart = (remain ?? 0) > 0 || (listed > 0 && (isCancelled || word !== 'paid'))
  if (!isPart && (word === 'paid' || relatedOf(order, 'chargeback').length > 0))
    return { captured: amount, released: 0, held: 0 }
  const isGone = isCancelled || isVoid(order) || word === 'ended'
  // MultiSafepay may show nothing left of a reservation that is gone.
  const byRemain = remain === null || (isGone && remain === 0) ? 0 : amount - remain
  const captured = Math.min(Math.max(listed, byRemain, isGone ? 0 : paidInPart(order)), amount)
  const rest = amount - captured
  return isGone ? { captured, released: rest, held: 0 } : { captured, released: 0, held: rest }
}

/** Returns whether an order's money is or was reserved for a later capture by the shop. */
function isReservation(order: ShownOrder): boolean {
  const capture = order.payment_details?.capture
  if (order.amount === 0 || capture === 'automatic') return false
  const word = wordOf(order)?.is
  const isHeld = isCompleted(order) && word === 'authorized' && order.financial_status === 'initialized'
  const isManual = capture === 'manual' && (word === 'authorized' || word === 'paid' || isVoid(order))
  const known = [...capturesOf(order), ...relatedOf(order, 'auth-cancellation').filter(isReleased)]
  return isHeld || isManual || known.length > 0
}

function isReleased({ status }: RelatedTransaction): boolean {
  return wordIn(RELEASE_STATUSES, status) === 'done'
}

/** Returns the successful captures that MultiSafepay lists. */
function capturesOf(order: ShownOrder): RelatedTransaction[] {
  return relatedOf(order, 'capture').filter(
    ({ status, currency }) => wordIn(CAPTURE_STATUSES, status) === 'done' && currency === order.currency,
  )
}

/** Returns the captured parts that are orders of their own; null if a capture cannot be read. */
export function partsIn(order: ShownOrder): { id: string; amount: number }[] | null {
  if (Array.isArray(order.related_transactions) && listedOf(order, 'capture').includes(null)) return null
  return capturesOf(order).flatMap(({ order_id: id, amount }) =>
    id && id !== order.order_id ? [{ id, amount }] : [],
  )
}

/** The most orders of captured parts that the hub reads. */
const MOST_PARTS = 100

/**
 * Gets the orders of captured parts; null if one of them cannot be read. A capture whose order is unknown belongs to
 * the order itself, unless the hub captured a part, which always has one.
 */
export async function askForParts(call: Call, order: ShownOrder | null): Promise<ShownOrder[] | null> {
  const parts = order ? partsIn(order) : []
  const amounts = new Map(parts?.map(({ id, amount }) => [id, amount]))
  if (!parts || amounts.size > MOST_PARTS) return null
  const answers = await Promise.all(
    Array.from(amounts, async ([id, amount]) => {
      const answer = await call('GET', pathOf(id))
      const isOurs = captureIn(id) !== undefined && amount !== order?.amount
      if (isUnknown(answer) && !isOurs) return []
      return [answer.is === 'answered' ? orderIn(answer.body, id) : null]
    }),
  )
  const orders = answers.flat()
  return orders.every((one) => one !== null) ? orders : null
}

/** Sums the gift cards that paid a part. Only the order's own status shows that all is paid. */
export function paidInPart({ payment_methods, amount, currency }: ShownOrder): number {
  const paid = sumOf((payment_methods ?? []).filter((part) => part?.currency === currency))
  return paid < amount ? paid : 0
}

export function isUntouched(order: ShownOrder): boolean {
  return meaningOf(order)?.is === 'open' && paidInPart(order) === 0
}

export function sumOf(amounts: readonly ({ amount: number } | null)[]): number {
  return amounts.reduce((sum, one) => sum + (one?.amount ?? 0), 0)
}

export function isVoid({ status, financial_status }: ShownOrder): boolean {
  return status === 'void' && financial_status === 'void'
}
