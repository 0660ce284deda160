import * as v from 'valibot'
import { instantOf as zonedInstantOf } from '../../platform/pages/zoned-time.ts'
import {
  type AskAnswer,
  type Meaning,
  AUTHORIZED,
  PAID,
  UNDERWAY,
  type Unavailable,
  closedAs,
  unknownWord,
  wordIn,
} from '../answer.ts'
import type { Call } from '../http-client.ts'
import { type PspReading, type Shown, type ShownInstruction, seenIn } from '../reading.ts'
import { instantOf } from '../values.ts'
import {
  type Order,
  type Related,
  Id,
  hasSucceeded,
  isFailure,
  isKeyRefused,
  isUnknown,
  orderIn,
  pathOf,
  refuse,
  relatedIn,
  relatedOf,
  success,
} from './order.ts'
import {
  CAPTURE_STATUSES,
  PATIENCE,
  REFUNDED_BY_CART,
  REFUND_STATUSES,
  RELEASE_STATUSES,
  SHIPPED_FIRST,
  SLOW_METHODS,
  STATUSES,
  WHEN_COMPLETED,
} from './tables.ts'

/**
 * The way to read answers about an order. `parts`: the orders of what was captured of it, null if
 * they were not asked for.
 */
export function readingOf(reference: string, parts: readonly Order[] | null = null): PspReading {
  return {
    psp: 'MultiSafepay',
    patience: PATIENCE,
    read: (body, currency) => read(orderIn(body, reference), currency, parts),
    instructions: {
      capture: { states: CAPTURE_STATUSES, read: takenAs('completed') },
      release: { states: RELEASE_STATUSES, read: takenAs('initialized') },
      refund: { states: REFUND_STATUSES, read: takenAs('initialized') },
    },
    refuse,
    isFailure,
    isUnknown,
    isKeyRefused,
  }
}

/** Asks how an order stands, and for the orders of what was captured of it. */
export async function askAt(
  call: Call,
  reference: string,
  currency: string,
  reading = readingOf,
): Promise<AskAnswer> {
  const seen = await call('GET', pathOf(reference))
  const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
  return seenIn(reading(reference, await askForParts(call, order)), seen, currency)
}

/**
 * The answer to an instruction, which tells no status. The id is `refund_id`, or else
 * `transaction_id`: openapi/components/examples/responses/refundOrder.json
 */
const Taken = v.object({ refund_id: v.nullish(Id), transaction_id: v.nullish(Id) })

function takenAs(status: string) {
  return (body: unknown): ShownInstruction | null => {
    const taken = v.safeParse(success(Taken), body)
    if (!taken.success) return null
    const { refund_id, transaction_id } = taken.output.data
    return { id: refund_id ?? transaction_id ?? null, status }
  }
}

/** MultiSafepay does not say when the page closes. */
function read(
  order: Order | null,
  currency: string,
  parts: readonly Order[] | null,
): Shown | Unavailable | null {
  if (order?.currency !== currency) return null
  const meaning = meaningOf(order)
  if (!meaning) return unknownWord('MultiSafepay', 'order', decidingWord(order))
  const ledger = ledgerOf(order)
  const unreserved = meaning.is === 'ended' ? 0 : paidInPart(order)
  const paid = ledger?.captured ?? (meaning.is === 'paid' ? order.amount : unreserved)
  return {
    reference: order.order_id,
    checkoutUrl: order.payment_url,
    expiresAt: null,
    meaning,
    method: methodOf(order),
    amount: order.amount,
    paid,
    ...(ledger && !isRefundedByCart(order) ? reservationOf(order, ledger) : {}),
    ...((meaning.is === 'paid' && order.amount > 0) || isVoid(order) || (ledger?.captured ?? 0) > 0
      ? { refunded: withParts(order, parts, refundedAt), chargedBack: withParts(order, parts, chargedBackAt) }
      : {}),
  }
}

function reservationOf(order: Order, { released, held }: Ledger): Partial<Shown> {
  const told = { authorized: order.amount, released }
  if (held === 0) return told
  const captureBefore = timeOf(order.payment_details?.capture_expiry)
  return { ...told, authorizedAt: timeOf(order.completed), captureBefore }
}

/**
 * Reads a time (ms) of an order, which names no zone. It is Amsterdam's: the notification that
 * https://docs.multisafepay.com/docs/webhook shows was signed in January at 14:08:04 UTC, of an order
 * that was created at 15:08:02.
 */
function timeOf(text: string | null | undefined): number | null {
  const local = zonedInstantOf(text?.replace(' ', 'T') ?? '', 'Europe/Amsterdam')
  return instantOf(local ?? text)
}

/** Returns the method that the customer chose, by MultiSafepay's name; null before that. */
function methodOf({ payment_details }: Order): string | null {
  return payment_details?.type ?? null
}

/** Returns whether the customer sends the money, perhaps late. */
export function isSlow(order: Order): boolean {
  return SLOW_METHODS.has(methodOf(order) ?? '')
}

/** Returns whether a refund of the order needs its cart, which the hub does not have. */
export function isRefundedByCart(order: Order): boolean {
  return REFUNDED_BY_CART.has(methodOf(order) ?? '')
}

function isCompleted({ status }: Order): boolean {
  return status === 'completed' || status === 'shipped'
}

/** Returns the status word that decides the meaning of an order. */
export function decidingWord(order: Order): string {
  return (isCompleted(order) ? order.financial_status : null) ?? order.status
}

/**
 * Returns the meaning of an order; undefined if the deciding word is unknown. Of reserved money what
 * became of it decides.
 */
export function meaningOf(order: Order): Meaning | undefined {
  if (order.status === 'initialized' && isSlow(order)) return UNDERWAY
  const word = wordOf(order)
  const ledger = ledgerOf(order)
  if (ledger && ledger.held > 0) return word && AUTHORIZED
  if (ledger && ledger.captured === 0)
    return word && closedAs(word.is === 'ended' ? word.status : 'CANCELLED')
  return ledger || relatedOf(order, 'chargeback').length > 0 ? PAID : word
}

/**
 * Returns what the words of an order say. An order may be completed or shipped with its money still
 * under way, which the transaction's status (`financial_status`) tells: Multibanco, Klarna and
 * payments under review are "completed, uncleared" for a time. If that is missing, the order's own
 * status counts. American Express orders stay "completed, initialized" when American Express pays the
 * shop itself (https://docs.multisafepay.com/docs/card-payments); for other cards that means reserved.
 */
function wordOf(order: Order): Meaning | undefined {
  if (!isCompleted(order)) return wordIn(STATUSES, order.status)
  const word = decidingWord(order)
  if (word === 'initialized' && methodOf(order) === 'AMEX') return PAID
  const waitsForShop = order.status === 'completed' && SHIPPED_FIRST.has(methodOf(order) ?? '')
  return waitsForShop && word === 'uncleared' ? AUTHORIZED : wordIn(WHEN_COMPLETED, word)
}

/** An order's reserved money, in minor units. The three come to the order's amount. */
type Ledger = { captured: number; released: number; held: number }

/**
 * Returns what became of an order's money; null if nobody has reserved any, or MultiSafepay captures
 * it by itself. A part that is captured is a transaction of its own, and the order keeps its status
 * until what is left is captured, cancelled or expires
 * (https://docs.multisafepay.com/docs/manual-capture). Once all is captured in parts, only
 * `capture_remain` may tell. A cancelled rest may be told by its transaction only.
 */
export function ledgerOf(order: Order): Ledger | null {
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
  const told = remain === null || (isGone && remain === 0) ? 0 : amount - remain
  const captured = Math.min(Math.max(listed, told, isGone ? 0 : paidInPart(order)), amount)
  const rest = amount - captured
  return isGone ? { captured, released: rest, held: 0 } : { captured, released: 0, held: rest }
}

/** Returns whether an order's money is or was reserved for a later capture, which the shop asks for. */
function isReservation(order: Order): boolean {
  const capture = order.payment_details?.capture
  if (order.amount === 0 || capture === 'automatic') return false
  const word = wordOf(order)?.is
  const isHeld = isCompleted(order) && word === 'authorized' && order.financial_status === 'initialized'
  const isManual = capture === 'manual' && (word === 'authorized' || word === 'paid' || isVoid(order))
  const known = [...capturesOf(order), ...relatedOf(order, 'auth-cancellation').filter(isReleased)]
  return isHeld || isManual || known.length > 0
}

function isReleased({ status }: Related): boolean {
  return wordIn(RELEASE_STATUSES, status) === 'done'
}

/** Returns the captures that MultiSafepay lists as made. */
function capturesOf(order: Order): Related[] {
  return relatedOf(order, 'capture').filter(
    ({ status, currency }) => wordIn(CAPTURE_STATUSES, status) === 'done' && currency === order.currency,
  )
}

/** Returns the captured parts that are orders of their own. */
export function partsIn(order: Order): { id: string; amount: number }[] {
  return capturesOf(order).flatMap(({ order_id: id, amount }) =>
    id && id !== order.order_id ? [{ id, amount }] : [],
  )
}

/** How many orders of captured parts the hub reads. */
const MOST_PARTS = 100

/**
 * Asks for the orders of captured parts; null if MultiSafepay did not answer for one. A capture
 * without such an order is of the order itself.
 */
export async function askForParts(call: Call, order: Order | null): Promise<Order[] | null> {
  const ids = [...new Set(order ? partsIn(order).map(({ id }) => id) : [])]
  if (ids.length > MOST_PARTS) return null
  const answers = await Promise.all(ids.map((id) => call('GET', pathOf(id))))
  if (!answers.every((one) => one.is === 'answered' && (hasSucceeded(one) || isUnknown(one)))) return null
  return answers.flatMap((one, place) => {
    const part = one.is === 'answered' ? orderIn(one.body, ids[place] ?? '') : null
    return part ? [part] : []
  })
}

/** Sums the gift cards that paid a part. The order's own status tells when all is paid. */
function paidInPart({ payment_methods, amount, currency }: Order): number {
  const paid = sumOf((payment_methods ?? []).filter((part) => part?.currency === currency))
  return paid < amount ? paid : 0
}

export function isUntouched(order: Order): boolean {
  return meaningOf(order)?.is === 'open' && paidInPart(order) === 0
}

export function sumOf(amounts: readonly ({ amount: number } | null)[]): number {
  return amounts.reduce((sum, one) => sum + (one?.amount ?? 0), 0)
}

function has({ status, financial_status }: Order, words: readonly string[]): boolean {
  return words.includes(status) || words.includes(financial_status ?? '')
}

function isVoid({ status, financial_status }: Order): boolean {
  return status === 'void' && financial_status === 'void'
}

/** Sums the completed transactions of one type, in minor units of the order's currency. */
function completedOf(order: Order, type: string): number {
  const { currency } = order
  return sumOf(
    relatedOf(order, type).filter((one) => one.status === 'completed' && one.currency === currency),
  )
}

/**
 * Adds up what went back of an order and of its captured parts, each of which has the refunds and
 * chargebacks of its own; null if one of them does not tell. If all was captured in parts, the order
 * has none besides theirs, which it may list, too.
 */
function withParts(
  order: Order,
  parts: readonly Order[] | null,
  of: (order: Order) => number | null,
): number | null {
  const own = of(order)
  if ((parts ?? partsIn(order)).length === 0) return own
  const sums = parts?.map(of) ?? [null]
  if (sums.includes(null)) return null
  const all = sums.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return ownOf(order, parts ?? []) > 0 ? (own ?? 0) + all : Math.max(own ?? 0, all)
}

/** Returns how much was captured of an order itself, and not in parts. */
export function ownOf(order: Order, parts: readonly Order[]): number {
  return (ledgerOf(order)?.captured ?? 0) - sumOf(parts)
}

/**
 * Returns what was refunded of one order, in minor units; null if MultiSafepay does not show it.
 * Either `amount_refunded` ("the amount refunded to the customer") or the related transactions may be
 * missing.
 */
function refundedAt(order: Order): number | null {
  if (has(order, ['refunded'])) return order.amount
  const listed = relatedIn(order) && completedOf(order, 'refund')
  const told = order.amount_refunded ?? null
  const refunded = Math.max(told ?? 0, listed ?? 0)
  const isUntold = refunded === 0 && (told === null || has(order, ['partial_refunded']))
  return isUntold ? null : refunded
}

/**
 * Returns what was charged back of one order, in minor units. MultiSafepay lists a won chargeback as
 * its reverse. Without a list, the status says that the whole is gone. "The customer has requested a
 * chargeback" is void, with a void transaction
 * (https://docs.multisafepay.com/docs/payment-statuses). So is a reservation that was cancelled or
 * has expired (https://docs.multisafepay.com/docs/manual-capture): the whole went back, which
 * counts only if the hub has seen it paid.
 */
export function chargedBackAt(order: Order): number | null {
  const related = relatedIn(order)
  if (related && relatedOf(order, 'chargeback').length > 0)
    return Math.max(completedOf(order, 'chargeback') - completedOf(order, 'reverse-chargeback'), 0)
  const isUncaptured = (ledgerOf(order)?.captured ?? 0) === 0
  if (has(order, ['chargeback', 'chargedback']) || (isVoid(order) && isUncaptured))
    return Math.max(order.amount - (refundedAt(order) ?? 0), 0)
  return related && 0
}
