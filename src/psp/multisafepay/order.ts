import * as v from 'valibot'
import type { Status } from '../../domain/job.ts'

/** The statuses of the API's document, and those that MultiSafepay's own clients know besides (`Transaction.php`). */
const OrderStatus = v.picklist([
  'initialized',
  'uncleared',
  'reserved',
  'completed',
  'shipped',
  'declined',
  'cancelled',
  'void',
  'expired',
  'refunded',
  'partial_refunded',
  'chargeback',
  'chargedback',
])
type OrderStatus = v.InferOutput<typeof OrderStatus>

const Minor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Part = v.object({ status: v.literal('completed'), amount: Minor, currency: v.string() })

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
  payment_methods: v.fallback(v.nullish(v.array(v.fallback(v.nullable(Part), null))), null),
  var1: v.fallback(v.nullish(v.string()), null),
  payment_url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})
export type Order = v.InferOutput<typeof Order>

/**
 * https://docs.multisafepay.com/docs/payment-statuses. What was refunded or charged back was paid before. "Void" is
 * also the status of some chargebacks, but mostly of what was cancelled.
 */
const STATUS: Record<OrderStatus, Status> = {
  initialized: 'PENDING',
  uncleared: 'PENDING',
  reserved: 'PENDING',
  completed: 'SUCCESS',
  shipped: 'SUCCESS',
  declined: 'FAILURE',
  cancelled: 'CANCELLED',
  void: 'CANCELLED',
  expired: 'EXPIRED',
  refunded: 'SUCCESS',
  partial_refunded: 'SUCCESS',
  chargeback: 'SUCCESS',
  chargedback: 'SUCCESS',
}

/**
 * An order may be completed or shipped with its money still under way, which the transaction's status
 * (`financial_status`) tells: Multibanco, Klarna and payments to be captured are "completed, uncleared" for a time.
 * Where that is missing, the order's own status counts; where it decides and is no known word, the status is null.
 */
export const statusOf = ({ status, financial_status }: Order): Status | null => {
  if (status !== 'completed' && status !== 'shipped') return STATUS[status]
  const word = v.safeParse(OrderStatus, financial_status ?? status)
  return word.success ? STATUS[word.output] : null
}

/** Gift cards that are paid while the rest of the order is not. The whole is paid when the order says so. */
export const paidInPart = ({ payment_methods, amount, currency }: Order): number => {
  const paid = (payment_methods ?? [])
    .filter((part) => part?.currency === currency)
    .reduce((sum, part) => sum + (part?.amount ?? 0), 0)
  return paid < amount ? paid : 0
}

export const isUntouched = (order: Order): boolean =>
  order.status === 'initialized' && paidInPart(order) === 0
