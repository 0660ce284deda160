import * as v from 'valibot'
import { instantOf as zonedInstantOf } from '../../platform/pages/zoned-time.ts'
import {
  type AskAnswer,
  type Meaning,
  AUTHORIZED,
  PAID,
  type Transfer,
  UNDERWAY,
  type Unavailable,
  closedAs,
  unknownWord,
  wordIn,
} from '../answer.ts'
import type { Call } from '../http-client.ts'
import { type PspReading, type ShownInstruction, type ShownPayment, seenIn, transfersIn } from '../reading.ts'
import { instantOf } from '../values.ts'
import {
  type ShownOrder,
  type RelatedTransaction,
  Id,
  captureIn,
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
 * Returns how to read answers about an order. `parts`: the orders of its captured parts, null if the hub
 * did not ask for them.
 */
export function readingOf(reference: string, parts: readonly ShownOrder[] | null = null): PspReading {
  return {
    psp: 'MultiSafepay',
    patience: PATIENCE,
    read: (body, currency) => readOrder(orderIn(body, reference), currency, parts),
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

/** Asks about an order and the orders of its captured parts. */
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
 * The answer to an instruction, which has no status. The id is `refund_id` or `transaction_id`:
 * openapi/components/examples/responses/refundOrder.json
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
function readOrder(
  order: ShownOrder | null,
  currency: string,
  parts: readonly ShownOrder[] | null,
): ShownPayment | Unavailable | null {
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
    transfers: {
      ...(ledger && relatedIn(order)
        ? { capture: listOf([order], 'capture'), release: listOf([order], 'release') }
        : {}),
      ...listsOfBack(order, parts),
    },
  }
}

/** The types of related transactions, by the hub's words. */
const TYPES = { capture: 'capture', release: 'auth-cancellation', refund: 'refund' } as const

/** Lists the captures, releases or refunds of orders, each once: an order may list those of its parts too. */
function listOf(orders: readonly ShownOrder[], kind: keyof typeof TYPES): Transfer[] | undefined {
  const items = orders.flatMap((order) =>
    relatedOf(order, TYPES[kind]).map((one) => ({
      id: one.transaction_id ?? one.refund_order_id ?? one.order_id ?? order.order_id,
      own: kind === 'refund' ? one.refund_order_id : captureIn(one.order_id),
      amount: one.currency === order.currency ? one.amount : null,
      status: one.status,
    })),
  )
  const each = new Map(items.map((one) => [one.id, one]))
  return transfersIn(readingOf(''), kind, [...each.values()])
}

/**
 * Lists what went back of an order and of its captured parts. Undefined if one of them shows refunds that its list
 * lacks, because even MultiSafepay's examples have refunds without a list.
 */
function listsOfBack(order: ShownOrder, parts: readonly ShownOrder[] | null): ShownPayment['transfers'] {
  if (parts === null && partsIn(order).length > 0) return {}
  const orders = [order, ...(parts ?? [])]
  if (orders.some((one) => relatedIn(one) === null)) return {}
  return {
    ...(orders.some(showsMore) ? {} : { refund: listOf(orders, 'refund') }),
    dispute: orders.flatMap(disputesOf),
  }
}

/** A won chargeback is listed as its reverse, which may be of a part of it. */
function disputesOf(order: ShownOrder): Transfer[] {
  const open = relatedOf(order, 'chargeback').filter(isCounted(order))
  const back = relatedOf(order, 'reverse-chargeback').filter(isCounted(order))
  let won = sumOf(back)
  return open.map(({ transaction_id, amount }, place): Transfer => {
    const id = transaction_id ?? `chargeback ${place + 1} of ${order.order_id}`
    const taken = Math.min(won, amount)
    won -= taken
    return taken === amount
      ? { id, amount, state: 'returned' }
      : { id, amount: amount - taken, state: 'done' }
  })
}

function isCounted({ currency }: ShownOrder) {
  return (one: RelatedTransaction): boolean => one.status === 'completed' && one.currency === currency
}

function reservationOf(order: ShownOrder, { released, held }: Ledger): Partial<ShownPayment> {
  const totals = { authorized: order.amount, released }
  if (held === 0) return totals
  const captureBefore = timeOf(order.payment_details?.capture_expiry)
  return { ...totals, authorizedAt: timeOf(order.completed), captureBefore }
}

/**
 * Reads a time (ms) of an order. It names no zone, but is in that of Amsterdam: the notification that
 * https://docs.multisafepay.com/docs/webhook shows was signed in January at 14:08:04 UTC, for an order
 * that was created at 15:08:02.
 */
function timeOf(text: string | null | undefined): number | null {
  const local = zonedInstantOf(text?.replace(' ', 'T') ?? '', 'Europe/Amsterdam')
  return instantOf(local ?? text)
}

/** Returns the method that the customer chose, by MultiSafepay's name; null before that. */
function methodOf({ payment_details }: ShownOrder): string | null {
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
type Ledger = { captured: number; released: number; held: number }

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

/** Returns the captured parts that are orders of their own. */
export function partsIn(order: ShownOrder): { id: string; amount: number }[] {
  return capturesOf(order).flatMap(({ order_id: id, amount }) =>
    id && id !== order.order_id ? [{ id, amount }] : [],
  )
}

/** The most orders of captured parts that the hub reads. */
const MOST_PARTS = 100

/**
 * Gets the orders of captured parts; null if MultiSafepay did not answer for one of them. A capture
 * without such an order belongs to the order itself.
 */
export async function askForParts(call: Call, order: ShownOrder | null): Promise<ShownOrder[] | null> {
  const ids = [...new Set(order ? partsIn(order).map(({ id }) => id) : [])]
  if (ids.length > MOST_PARTS) return null
  const answers = await Promise.all(ids.map((id) => call('GET', pathOf(id))))
  if (!answers.every((one) => one.is === 'answered' && (hasSucceeded(one) || isUnknown(one)))) return null
  return answers.flatMap((one, place) => {
    const part = one.is === 'answered' ? orderIn(one.body, ids[place] ?? '') : null
    return part ? [part] : []
  })
}

/** Sums the gift cards that paid a part. Only the order's own status shows that all is paid. */
function paidInPart({ payment_methods, amount, currency }: ShownOrder): number {
  const paid = sumOf((payment_methods ?? []).filter((part) => part?.currency === currency))
  return paid < amount ? paid : 0
}

export function isUntouched(order: ShownOrder): boolean {
  return meaningOf(order)?.is === 'open' && paidInPart(order) === 0
}

export function sumOf(amounts: readonly ({ amount: number } | null)[]): number {
  return amounts.reduce((sum, one) => sum + (one?.amount ?? 0), 0)
}

function has({ status, financial_status }: ShownOrder, words: readonly string[]): boolean {
  return words.includes(status) || words.includes(financial_status ?? '')
}

function isVoid({ status, financial_status }: ShownOrder): boolean {
  return status === 'void' && financial_status === 'void'
}

/** Sums the completed transactions of one type, in minor units of the order's currency. */
function completedOf(order: ShownOrder, type: string): number {
  return sumOf(relatedOf(order, type).filter(isCounted(order)))
}

/**
 * Sums what went back of an order and of its captured parts, each of which has its own refunds and
 * chargebacks; null if one of them does not show it. If all was captured in parts, the order has none but
 * theirs, which it may list too.
 */
function withParts(
  order: ShownOrder,
  parts: readonly ShownOrder[] | null,
  of: (order: ShownOrder) => number | null,
): number | null {
  const own = of(order)
  if ((parts ?? partsIn(order)).length === 0) return own
  const sums = parts?.map(of) ?? [null]
  if (sums.includes(null)) return null
  const all = sums.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return ownOf(order, parts ?? []) > 0 ? (own ?? 0) + all : Math.max(own ?? 0, all)
}

/** Returns how much was captured in the order itself, not in parts. */
export function ownOf(order: ShownOrder, parts: readonly ShownOrder[]): number {
  return (ledgerOf(order)?.captured ?? 0) - sumOf(parts)
}

/**
 * Returns what was refunded of one order, in minor units; null if MultiSafepay does not show it.
 * Either `amount_refunded` ("the amount refunded to the customer") or the related transactions may be
 * missing.
 */
function refundedAt(order: ShownOrder): number | null {
  if (has(order, ['refunded'])) return order.amount
  const listed = relatedIn(order) && completedOf(order, 'refund')
  const total = order.amount_refunded ?? null
  const refunded = Math.max(total ?? 0, listed ?? 0)
  const isUnshown = refunded === 0 && (total === null || has(order, ['partial_refunded']))
  return isUnshown ? null : refunded
}

/**
 * Returns what was charged back of one order, in minor units. MultiSafepay lists a won chargeback as its
 * reverse. Without a list, only the status shows that the whole amount is gone. "The customer has
 * requested a chargeback" is void, with a void transaction
 * (https://docs.multisafepay.com/docs/payment-statuses). So is a reservation that was cancelled or has
 * expired (https://docs.multisafepay.com/docs/manual-capture): the whole amount went back, which counts
 * only if the hub has seen the order as paid.
 */
export function chargedBackAt(order: ShownOrder): number | null {
  const related = relatedIn(order)
  if (related && relatedOf(order, 'chargeback').length > 0)
    return Math.max(completedOf(order, 'chargeback') - completedOf(order, 'reverse-chargeback'), 0)
  const isUncaptured = (ledgerOf(order)?.captured ?? 0) === 0
  if (has(order, ['chargeback', 'chargedback']) || (isVoid(order) && isUncaptured))
    return Math.max(order.amount - (refundedAt(order) ?? 0), 0)
  return related && 0
}

const Cost = v.object({ description: v.string() })

/**
 * Returns whether an order shows refunds that its list lacks: by its total, its status, or the costs of a
 * refund.
 */
function showsMore(order: ShownOrder): boolean {
  const listed = relatedOf(order, 'refund')
  const costs = Array.isArray(order.costs) ? order.costs : []
  const ofRefunds = costs.filter((cost) => v.is(Cost, cost) && /^refund/i.test(cost.description))
  return (
    relatedIn(order) === null ||
    (order.amount_refunded ?? 0) > sumOf(listed) ||
    (order.status.endsWith('refunded') && listed.length === 0) ||
    ofRefunds.length > listed.length
  )
}
