import {
  type Held,
  type HeldRelated,
  completedOf,
  failed,
  newRelated,
  succeeded,
} from './multisafepay-order.ts'
import { readRefund } from './multisafepay-requests.ts'

let made = 0

/** "If a second refund for the same amount is requested within 5 minutes": error 1034. */
const FIVE_MINUTES = 300_000
const askedAt = new WeakMap<HeldRelated, number>()

/** Accepts a refund, which is reserved until midnight: https://docs.multisafepay.com/docs/refund-payments */
export function refundOrder(held: Held, body: unknown): Response {
  const wanted = readRefund(body)
  if (!wanted) return failed(400, 1016, 'Missing or invalid data')
  if (wanted.currency !== held.order.currency) return failed(400, 1002, 'Invalid currency')
  const taken = held.related
    .filter(({ type, status }) => type === 'refund' && !['declined', 'void'].includes(status))
    .reduce((sum, { amount }) => sum + amount, 0)
  const rest = held.order.amount - taken
  const amount = wanted.amount === 0 ? rest : wanted.amount
  if (!isPaid(held) || rest === 0 || amount > rest) return failed(400, 1001, 'Invalid amount')
  const isSame = (one: HeldRelated) =>
    one.type === 'refund' &&
    one.amount === wanted.amount &&
    Date.now() - (askedAt.get(one) ?? 0) < FIVE_MINUTES
  if (held.related.some(isSame)) return failed(400, 1034, 'Cannot refund transaction')
  const transaction_id = 3_326_969 + ++made
  const { refund_order_id } = wanted
  const refund = newRelated(held, {
    type: 'refund',
    status: 'reserved',
    amount,
    description: wanted.description,
    transaction_id,
    ...(refund_order_id === undefined ? {} : { refund_order_id, order_id: refund_order_id }),
  })
  held.related.push(refund)
  askedAt.set(refund, Date.now())
  return succeeded({ order_id: refund.order_id, transaction_id })
}

function isPaid({ status, hold, financialStatus }: Held): boolean {
  const isReserved = hold !== undefined && financialStatus === 'initialized'
  return ['completed', 'shipped', 'partial_refunded'].includes(status) && !isReserved
}

/** Gives a refund or chargeback its final status, and updates the order. */
export function endRelated(held: Held, one: HeldRelated, status: string): void {
  one.status = status
  const refunded = completedOf(held, 'refund')
  if (refunded === 0) held.status = 'completed'
  else held.status = refunded === held.order.amount ? 'refunded' : 'partial_refunded'
}

/** The customer's bank takes money back, or returns it after a dispute. */
export function moveBack(held: Held, type: 'chargeback' | 'reverse-chargeback', amount: number): void {
  held.related.push(
    newRelated(held, { type, status: 'completed', amount, transaction_id: 4_326_969 + ++made }),
  )
}
