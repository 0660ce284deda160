import * as v from 'valibot'
import type { Transfer } from '../answer.ts'
import { type PspReading, type ShownPayment, transfersIn } from '../reading.ts'
import { type RelatedTransaction, type ShownOrder, captureIn, relatedIn, relatedOf } from './order.ts'
import { isVoid, ledgerOf, partsIn, sumOf } from './standing.ts'

/*
 * What moved of an order and of its captured parts: its related transactions or, where these are missing, its totals.
 */

/** The types of related transactions, by the hub's words. */
const TYPES = { capture: 'capture', release: 'auth-cancellation', refund: 'refund' } as const

/** Lists the captures, releases or refunds of orders, each once: an order may list those of its parts too. */
export function listOf(
  at: PspReading,
  orders: readonly ShownOrder[],
  kind: keyof typeof TYPES,
): Transfer[] | undefined {
  const items = orders.flatMap((order) =>
    relatedOf(order, TYPES[kind]).map((one) => ({
      id: one.transaction_id ?? one.refund_order_id ?? one.order_id ?? order.order_id,
      own: kind === 'refund' ? one.refund_order_id : captureIn(one.order_id),
      amount: one.currency === order.currency ? one.amount : null,
      status: one.status,
    })),
  )
  const each = new Map(items.map((one) => [one.id, one]))
  return transfersIn(at, kind, [...each.values()])
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
  if (parts === null && partsIn(order).length > 0) return {}
  const orders = [order, ...(parts ?? [])]
  if (orders.some((one) => relatedIn(one) === null)) return {}
  return {
    ...(orders.some(showsMore) ? {} : { refund: listOf(at, orders, 'refund') }),
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

function has({ status, financial_status }: ShownOrder, words: readonly string[]): boolean {
  return words.includes(status) || words.includes(financial_status ?? '')
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
export function withParts(
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
export function refundedAt(order: ShownOrder): number | null {
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
