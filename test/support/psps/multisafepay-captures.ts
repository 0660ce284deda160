import { DAY } from '../../../src/contract/timestamp.ts'
import {
  type Held,
  TRANSACTION_ID,
  failed,
  newOrder,
  newRelated,
  remainOf,
  succeeded,
} from './multisafepay-order.ts'
import { isRelease, readCapture } from './multisafepay-requests.ts'

/** "VISA: 7 days. Mastercard and Maestro: 30 days": https://docs.multisafepay.com/docs/manual-capture */
const DAYS: Readonly<Record<string, number>> = { VISA: 7, MASTERCARD: 30, MAESTRO: 30 }

/** The customer has paid, and the money is reserved. A payment on the page for cards is by Visa. */
export function reserve(held: Held): void {
  const { gateway } = held.order
  held.method ??= gateway === undefined || gateway === 'CREDITCARD' ? 'VISA' : gateway
  const at = Date.now()
  held.hold = { at, until: at + (DAYS[held.method] ?? 30) * DAY }
  Object.assign(held, { status: 'completed', financialStatus: 'initialized' })
}

/** "Full authorization expiry: the full authorized amount expired without being captured." */
export function lapse(held: Held): void {
  if (held.hold && Date.now() >= held.hold.until && remainOf(held) > 0)
    Object.assign(held, { status: 'void', financialStatus: 'void' })
}

let made = 0

/**
 * Captures: https://docs.multisafepay.com/reference/capturepayment. "After a full capture, the
 * transaction status updates to Completed. Partial captures create a new transaction … with a separate
 * order ID", and "the original transaction retains its initial statuses".
 */
export function captureOrder(orders: Held[], held: Held, body: unknown): Response {
  const wanted = readCapture(body)
  if (!wanted) return failed(400, 1016, 'Missing or invalid data')
  const remain = held.hold ? remainOf(held) : 0
  if (remain === 0) return failed(400, 1000, 'The transaction cannot be captured')
  const { amount, new_order_id: id = `${held.order.order_id}_${++made}` } = wanted
  if (amount === 0 || amount > remain) return failed(400, 1001, 'Invalid amount')
  if (orders.some(({ key, order }) => key === held.key && order.order_id === id))
    return failed(400, 1006, 'Invalid transaction ID')
  if (amount === held.order.amount) {
    held.financialStatus = 'completed'
    return succeeded({ transaction_id: TRANSACTION_ID, order_id: held.order.order_id })
  }
  const { hold: _, ...original } = held
  orders.push({
    ...original,
    ...newOrder(held.key, { ...held.order, order_id: id, amount }),
    status: 'completed',
    financialStatus: 'completed',
    partOf: held.order.order_id,
  })
  const transaction_id = 5_326_969 + ++made
  const description = wanted.description ?? wanted.reason ?? ''
  held.related.push(
    newRelated(held, {
      type: 'capture',
      status: 'completed',
      amount,
      description,
      order_id: id,
      transaction_id,
    }),
  )
  return succeeded({ transaction_id, order_id: id })
}

/** Cancels the rest of a reservation: https://docs.multisafepay.com/reference/cancelauthorizedorder */
export function releaseOrder(held: Held, body: unknown): Response {
  if (!isRelease(body)) return failed(400, 1016, 'Missing or invalid data')
  const amount = held.hold ? remainOf(held) : 0
  if (amount === 0) return failed(400, 1000, 'The reservation cannot be cancelled')
  const transaction_id = 6_326_969 + ++made
  held.related.push(newRelated(held, { type: 'auth-cancellation', status: 'void', amount, transaction_id }))
  Object.assign(held, { status: 'void', financialStatus: 'void' })
  return succeeded({ transaction_id, order_id: held.order.order_id, success: true })
}

/** A captured part is declined afterwards. */
export function declineCapture(orders: readonly Held[], held: Held, id: string): void {
  const capture = held.related.find(({ type, order_id }) => type === 'capture' && order_id === id)
  const part = orders.find(({ order }) => order.order_id === id)
  if (!capture || !part) throw new Error(`MultiSafepay has no capture ${id}`)
  capture.status = 'declined'
  Object.assign(part, { status: 'declined', financialStatus: 'declined' })
}
