import type { MoneyBackTotals } from '../answer.ts'
import * as v from 'valibot'
import type { Order } from './order.ts'

const Minor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** An id that MultiSafepay shows as a number, or as a text. */
const Id = v.fallback(v.nullish(v.pipe(v.union([v.string(), v.number()]), v.transform(String))), null)
const Text = v.fallback(v.nullish(v.string()), null)

/** A refund or a chargeback of an order: RelatedTransactions.yaml in https://github.com/MultiSafepay/docs, openapi. */
const Related = v.object({
  type: v.string(),
  status: v.string(),
  amount: Minor,
  currency: v.string(),
  transaction_id: Id,
  order_id: Id,
  refund_order_id: Id,
  description: Text,
})
export type Related = v.InferOutput<typeof Related>

type Shown = Pick<Order, 'related_transactions'>

/** The related transactions that can be read; null where MultiSafepay does not show any list. */
export function relatedIn({ related_transactions: shown }: Shown): readonly Related[] | null {
  if (shown === null) return []
  const list = Array.isArray(shown) ? shown : v.is(v.object({ type: v.string() }), shown) ? [shown] : null
  return (
    list?.flatMap((one: unknown) => {
      const related = v.safeParse(Related, one)
      return related.success ? [related.output] : []
    }) ?? null
  )
}

/** What of one type is completed, in minor units of the order's currency. */
function sumOf(related: readonly Related[], type: string, currency: string): number {
  return related
    .filter((one) => one.type === type && one.status === 'completed' && one.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * What went back of an order, in minor units. `amount_refunded` is "the amount refunded to the customer"; the related
 * transactions may be missing where it is there, and the other way round. A total that MultiSafepay does not show is left out.
 */
export function moneyBackOf(order: Order): MoneyBackTotals {
  const refunded = refundedOf(order)
  const chargedBack = chargedBackOf(order, refunded ?? 0)
  return {
    ...(refunded === null ? {} : { refunded }),
    ...(chargedBack === null ? {} : { chargedBack }),
  }
}

function refundedOf(order: Order): number | null {
  if (has(order, ['refunded'])) return order.amount
  const related = relatedIn(order)
  const listed = related && sumOf(related, 'refund', order.currency)
  const told = order.amount_refunded ?? null
  const refunded = Math.max(told ?? 0, listed ?? 0)
  const isUntold = refunded === 0 && (told === null || has(order, ['partial_refunded']))
  return isUntold ? null : refunded
}

/** A chargeback that was won is listed as its reverse. Without a list, the status says that the whole is gone. */
function chargedBackOf(order: Order, refunded: number): number | null {
  const related = relatedIn(order)
  if (related?.some(({ type }) => type === 'chargeback')) {
    const { currency } = order
    return Math.max(
      sumOf(related, 'chargeback', currency) - sumOf(related, 'reverse-chargeback', currency),
      0,
    )
  }
  if (has(order, ['chargeback', 'chargedback']) || isChargedBackAsVoid(order)) {
    return Math.max(order.amount - refunded, 0)
  }
  return related && 0
}

/**
 * "The customer has requested a chargeback": order and transaction are void (https://docs.multisafepay.com/docs/payment-statuses).
 * So are payments that were cancelled, which tell neither when they were completed nor of a chargeback.
 */
export function isChargedBackAsVoid(order: Order): boolean {
  return (
    order.status === 'void' &&
    order.financial_status === 'void' &&
    (v.is(Time, order.completed) ||
      v.is(Time, order.completed_date) ||
      (relatedIn(order) ?? []).some(({ type }) => type === 'chargeback'))
  )
}

const Time = v.pipe(v.string(), v.nonEmpty())

function has({ status, financial_status }: Order, words: readonly string[]): boolean {
  return words.includes(status) || (typeof financial_status === 'string' && words.includes(financial_status))
}
