import * as v from 'valibot'
import { type Transfer, wordIn } from '../answer.ts'
import { type PspReading, type ShownPayment, transfersIn, wholeList } from '../reading.ts'
import { type RelatedTransaction, type ShownOrder, captureIn, listedOf, relatedOf } from './order.ts'
import { isVoid, ledgerOf, sumOf } from './standing.ts'
import { REFUND_STATUSES } from './tables.ts'

/*
 * What moved of an order and of its captured parts: its related transactions or, where these are missing, its totals.
 */

/** The types of related transactions, by the hub's words. */
const TYPES = { capture: 'capture', release: 'auth-cancellation', refund: 'refund' } as const
const OF_DISPUTES = ['chargeback', 'reverse-chargeback'] as const

/** Lists the captures, releases or refunds of orders, each once: an order may list those of its parts too. */
export function listOf(
  at: PspReading,
  orders: readonly ShownOrder[],
  kind: keyof typeof TYPES,
): Transfer[] | undefined {
  const items = orders.flatMap((order) =>
    listedOf(order, TYPES[kind]).map(
      (one, place) =>
        one && {
          id: one.transaction_id ?? one.refund_order_id ?? `${kind} ${place + 1} of ${order.order_id}`,
          own: kind === 'refund' ? one.refund_order_id : captureIn(one.order_id),
          amount: one.currency === order.currency ? one.amount : null,
          status: one.status,
        },
    ),
  )
  return transfersIn(at, kind, items)
}

/**
 * Lists what went back of an order and of its captured parts. Undefined if one of them shows refunds that its list
 * lacks, because even MultiSafepay's examples have refunds without a list.
 */
export function listsOfBack(
  at: PspReading,
  order: ShownOrder,
  parts: readonly ShownOrder[] | null,
): ShownPayment['transfers'] {
  if (parts === null) return {}
  const orders = [order, ...parts]
  return {
    refund: orders.some(showsMore) ? undefined : listOf(at, orders, 'refund'),
    dispute: wholeList(orders.flatMap(disputesOf)),
  }
}

/** A won chargeback is listed as its reverse, which may be of a part of it. Null for what cannot be read. */
function disputesOf(order: ShownOrder): (Transfer | null)[] {
  if (listedOf(order, ...OF_DISPUTES).includes(null)) return [null]
  let won = completedOf(order, 'reverse-chargeback')
  return relatedOf(order, 'chargeback').map(({ transaction_id, amount, currency, status }, place) => {
    if (currency !== order.currency) return null
    const id = transaction_id ?? `chargeback ${place + 1} of ${order.order_id}`
    const state = wordIn(REFUND_STATUSES, status) ?? 'pending'
    if (state !== 'done') return { id, amount, state }
    const taken = Math.min(won, amount)
    won -= taken
    return taken === amount ? { id, amount, state: 'returned' } : { id, amount: amount - taken, state }
  })
}

function has({ status, financial_status }: ShownOrder, words: readonly string[]): boolean {
  return words.includes(status) || words.includes(financial_status ?? '')
}

/** Sums the completed transactions of one type, in minor units of the order's currency. */
function completedOf(order: ShownOrder, type: string): number {
  const isCounted = ({ status, currency }: RelatedTransaction) =>
    wordIn(REFUND_STATUSES, status) === 'done' && currency === order.currency
  return sumOf(relatedOf(order, type).filter(isCounted))
}

/**
 * Sums what went back of an order and of its captured parts, each of which has its own refunds and
 * chargebacks; null if one of them does not show it. If all was captured in parts, the order has none but
 * theirs, which it may list too.
 */
export function withParts(
  order: ShownOrder,
  parts: readonly ShownOrder[] | null,
  of: (order: ShownOrder) => number | null,
): number | null {
  const own = of(order)
  if (!parts?.length) return parts && own
  const sums = parts.map(of)
  if (sums.includes(null)) return null
  const all = sums.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  return ownOf(order, parts) > 0 ? (own ?? 0) + all : Math.max(own ?? 0, all)
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
export function refundedAt(order: ShownOrder): number | null {
  if (has(order, ['refunded'])) return order.amount
  const total = order.amount_refunded ?? null
  const refunded = Math.max(total ?? 0, completedOf(order, 'refund'))
  const isUnread = total === null && listedOf(order, 'refund').includes(null)
  return isUnread || (refunded === 0 && (total === null || has(order, ['partial_refunded'])))
    ? null
    : refunded
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
  const isListed = !listedOf(order, ...OF_DISPUTES).includes(null)
  if (isListed && relatedOf(order, 'chargeback').length > 0)
    return Math.max(completedOf(order, 'chargeback') - completedOf(order, 'reverse-chargeback'), 0)
  const isUncaptured = (ledgerOf(order)?.captured ?? 0) === 0
  if (has(order, ['chargeback', 'chargedback']) || (isVoid(order) && isUncaptured))
    return Math.max(order.amount - (refundedAt(order) ?? 0), 0)
  return isListed ? 0 : null
}

/** Returns the refunds of one order that have not failed. */
export function refundsOf(order: ShownOrder): RelatedTransaction[] {
  return relatedOf(order, 'refund').filter(({ status }) => wordIn(REFUND_STATUSES, status) !== 'failed')
}

const Cost = v.object({ description: v.string() })

/**
 * Returns whether an order shows refunds that its list lacks: by its total, its status, or the costs of a
 * refund.
 */
function showsMore(order: ShownOrder): boolean {
  const made = refundsOf(order)
  const costs = Array.isArray(order.costs) ? order.costs : []
  const ofRefunds = costs.filter((cost) => v.is(Cost, cost) && /^refund/i.test(cost.description))
  return (
    (order.amount_refunded ?? 0) > sumOf(made) ||
    (order.status.endsWith('refunded') && made.length === 0) ||
    ofRefunds.length > relatedOf(order, 'refund').length
  )
}
