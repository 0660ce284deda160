import {
  HOLD,
  type Money,
  type PaypalItem,
  type PaypalOrder,
  hundredths,
  issueOf,
  itemJson,
  notFound,
  orderJson,
  paypalId,
  sumOf,
  unprocessable,
} from './paypal-order.ts'

/** How the double carries out what it takes: the statuses of new captures and refunds. */
export type Manner = {
  captures: 'COMPLETED' | 'PENDING' | 'DECLINED'
  refunds: 'COMPLETED' | 'PENDING'
  /** The balance is too low for refunds. */
  isPoor: boolean
}

const isDead = ({ status }: PaypalItem) =>
  status === 'DECLINED' || status === 'FAILED' || status === 'CANCELLED'

/** Voids an authorisation whose time is over. */
export function passTime({ authorizations }: PaypalOrder): void {
  for (const one of authorizations)
    if (Date.now() >= one.at + HOLD && one.status !== 'CAPTURED' && one.status !== 'DENIED')
      one.status = 'VOIDED'
}

/** Captures or authorises an approved order: https://developer.paypal.com/docs/api/orders/v2/#orders_capture */
export function confirmOrder(order: PaypalOrder, act: 'capture' | 'authorize', manner: Manner): Response {
  const { intent, purchase_units } = order.request
  const [{ amount, custom_id: customId }] = purchase_units
  if ((act === 'capture') !== (intent === 'CAPTURE')) return unprocessable('ACTION_DOES_NOT_MATCH_INTENT')
  if (order.status === 'COMPLETED')
    return unprocessable(act === 'capture' ? 'ORDER_ALREADY_CAPTURED' : 'ORDER_ALREADY_AUTHORIZED')
  if (order.status !== 'APPROVED') return unprocessable('ORDER_NOT_APPROVED')
  if (order.refusal) return unprocessable(order.refusal)
  order.status = 'COMPLETED'
  const item = { id: paypalId(), amount, at: Date.now(), ...(customId ? { customId } : {}) }
  if (act === 'capture') order.captures.push({ ...item, ...captureStatus(manner), isFinal: true })
  else order.authorizations.push({ ...item, status: 'CREATED' })
  return Response.json(orderJson(order, true), { status: 201 })
}

function captureStatus({ captures: status }: Manner) {
  return status === 'PENDING' ? { status, reason: 'PENDING_REVIEW' } : { status }
}

type Wanted = { amount?: Money; invoice_id?: string; final_capture?: boolean; custom_id?: string }

/** PayPal takes an invoice number once in an account. */
function isKnown(orders: readonly PaypalOrder[], { invoice_id }: Wanted): boolean {
  return orders.some(({ captures, refunds }) =>
    [...captures, ...refunds].some(({ invoiceId }) => invoiceId !== undefined && invoiceId === invoice_id),
  )
}

/** https://developer.paypal.com/docs/api/payments/v2/#authorizations_capture: up to 115 % of what was authorised. */
export function captureOf(
  order: PaypalOrder,
  authorization: PaypalItem,
  wanted: Wanted,
  { orders, manner }: { orders: readonly PaypalOrder[]; manner: Manner },
): Response {
  const amount = wanted.amount ?? authorization.amount
  const issue = issueOf(amount)
  if (issue) return unprocessable(issue)
  if (authorization.status === 'VOIDED') return unprocessable('AUTHORIZATION_VOIDED')
  if (authorization.status === 'CAPTURED') return unprocessable('AUTHORIZATION_ALREADY_CAPTURED')
  if (isKnown(orders, wanted)) return unprocessable('DUPLICATE_INVOICE_ID')
  const captured = sumOf(order.captures.filter((one) => !isDead(one)))
  const most = hundredths(authorization.amount)
  if (captured + hundredths(amount) > most * 1.15) return unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED')
  const capture: PaypalItem = {
    id: paypalId(),
    ...captureStatus(manner),
    amount,
    at: Date.now(),
    isFinal: wanted.final_capture ?? false,
    ...(wanted.invoice_id ? { invoiceId: wanted.invoice_id } : {}),
    ...(authorization.customId ? { customId: authorization.customId } : {}),
  }
  order.captures.push(capture)
  if (!isDead(capture))
    authorization.status =
      capture.isFinal || captured + hundredths(amount) >= most ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  return Response.json(itemJson('capture', capture), { status: 201 })
}

/** https://developer.paypal.com/docs/api/payments/v2/#authorizations_void */
export function voidOf(authorization: PaypalItem): Response {
  if (authorization.status === 'VOIDED') return unprocessable('PREVIOUSLY_VOIDED')
  if (authorization.status === 'CAPTURED') return unprocessable('PREVIOUSLY_CAPTURED')
  authorization.status = 'VOIDED'
  return Response.json(itemJson('authorization', authorization))
}

/** https://developer.paypal.com/docs/api/payments/v2/#captures_refund */
export function refundOf(
  order: PaypalOrder,
  capture: PaypalItem,
  wanted: Wanted,
  { orders, manner }: { orders: readonly PaypalOrder[]; manner: Manner },
): Response {
  const amount = wanted.amount ?? capture.amount
  const issue = issueOf(amount)
  if (issue) return unprocessable(issue)
  if (capture.status === 'PENDING') return unprocessable('PENDING_CAPTURE')
  if (isDead(capture)) return notFound()
  if (isKnown(orders, wanted)) return unprocessable('DUPLICATE_INVOICE_ID')
  const refunded = sumOf(order.refunds.filter((one) => one.of === capture.id && !isDead(one)))
  const rest = hundredths(capture.amount) - refunded
  if (rest === 0) return unprocessable('CAPTURE_FULLY_REFUNDED')
  if (hundredths(amount) > rest) return unprocessable('REFUND_AMOUNT_EXCEEDED')
  if (manner.isPoor) return unprocessable('REFUND_FAILED_INSUFFICIENT_FUNDS')
  const refund: PaypalItem = {
    id: paypalId(),
    status: manner.refunds,
    amount,
    at: Date.now(),
    of: capture.id,
    ...(wanted.invoice_id ? { invoiceId: wanted.invoice_id } : {}),
    ...(wanted.custom_id ? { customId: wanted.custom_id } : {}),
  }
  order.refunds.push(refund)
  capture.status = hundredths(amount) === rest ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  return Response.json(itemJson('refund', refund), { status: 201 })
}
