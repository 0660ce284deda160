import * as v from 'valibot'
import type { Called } from '../http-client.ts'
import { type Meaning, PAID, UNDERWAY } from '../meaning.ts'
import { shorten } from '../shorten.ts'
import { urlPart } from '../url-part.ts'
import { success } from './answer.ts'
import { isChargedBackAsVoid } from './money-back.ts'
import { OrderStatus, SLOW_METHODS, STATUSES, WHEN_COMPLETED } from './statuses.ts'

const Minor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Part = v.object({ status: v.literal('completed'), amount: Minor, currency: v.string() })

const PaymentDetails = v.object({ type: v.fallback(v.nullish(v.string()), null) })

/**
 * An order as MultiSafepay shows it: https://docs.multisafepay.com/reference/getorder. What decides is strict. The rest can be
 * of any form: an order is paid all the same.
 */
export const Order = v.object({
  order_id: v.string(),
  currency: v.string(),
  amount: Minor,
  status: OrderStatus,
  financial_status: v.optional(v.unknown()),
  payment_details: v.fallback(v.nullish(PaymentDetails), null),
  payment_methods: v.fallback(v.nullish(v.array(v.fallback(v.nullable(Part), null))), null),
  amount_refunded: v.fallback(v.nullish(Minor), null),
  related_transactions: v.optional(v.unknown()),
  costs: v.optional(v.unknown()),
  completed: v.optional(v.unknown()),
  completed_date: v.optional(v.unknown()),
  var1: v.fallback(v.nullish(v.string()), null),
  payment_url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})
export type Order = v.InferOutput<typeof Order>

/** The method that the customer chose, by MultiSafepay's name; null before that. */
export function methodOf({ payment_details }: Order): string | null {
  return payment_details?.type ?? null
}

/** Whether the money is sent by the customer, who may do so late. */
export function isSlow(order: Order): boolean {
  return SLOW_METHODS.has(methodOf(order) ?? '')
}

/**
 * What an order's statuses mean. An order may be completed or shipped with its money still under way, which the transaction's
 * status (`financial_status`) tells: Multibanco, Klarna and payments under review are "completed, uncleared" for a time. Where
 * that is missing, the order's own status counts; where it decides and is no known word, the meaning is null.
 */
export function meaningOf(order: Order): Meaning | null {
  const { status, financial_status } = order
  if (status === 'initialized' && isSlow(order)) return UNDERWAY
  if (isChargedBackAsVoid(order)) return PAID
  if (status !== 'completed' && status !== 'shipped') return STATUSES[status]
  const word = v.safeParse(OrderStatus, financial_status ?? status)
  return word.success ? WHEN_COMPLETED[word.output] : null
}

/** Gift cards that are paid while the rest of the order is not. The whole is paid when the order says so. */
export function paidInPart({ payment_methods, amount, currency }: Order): number {
  const paid = (payment_methods ?? [])
    .filter((part) => part?.currency === currency)
    .reduce((sum, part) => sum + (part?.amount ?? 0), 0)
  return paid < amount ? paid : 0
}

export function isUntouched(order: Order): boolean {
  return meaningOf(order)?.is === 'open' && paidInPart(order) === 0
}

export function pathOf(reference: string): string {
  return `/orders/${urlPart(reference)}`
}

export function orderIn(answer: Called, reference: string): Order | null {
  const order = v.safeParse(success(Order), answer.is === 'answered' ? answer.body : null)
  if (!order.success) return null
  return order.output.data.order_id === reference ? order.output.data : null
}

const Words = v.object({ status: v.unknown(), financial_status: v.optional(v.unknown()) })

/** The status of an answer that the hub does not know, for the operator; null where that is not what is wrong. */
export function unknownWordIn(body: unknown): string | null {
  const words = v.safeParse(success(Words), body)
  if (!words.success) return null
  const { status, financial_status } = words.output.data
  const word = [status, financial_status].find((one) => typeof one === 'string' && !v.is(OrderStatus, one))
  return typeof word === 'string' ? shorten(word, 40) : null
}
