import * as v from 'valibot'
import { type Called, unavailable } from '../http-client.ts'
import type { PaymentRequest } from '../port.ts'
import { type AnnounceAnswer, refusedOrder } from '../refusal.ts'
import { isFailure, success, toOrderOrAccountRefused } from './answer.ts'
import { type Order, orderIn } from './order.ts'

const Created = v.object({ order_id: v.string(), payment_url: v.pipe(v.string(), v.url()) })

export function toAnnounced(answer: Called, payment: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const order = v.safeParse(success(Created), answer.body)
  if (order.success && order.output.data.order_id === payment.job) {
    return announced(payment, order.output.data.payment_url)
  }
  return isFailure(answer)
    ? toOrderOrAccountRefused(answer)
    : unavailable('MultiSafepay answered without a page to pay at.')
}

/** An order that can no longer be paid has no page of its own: the customer goes back, and learns how it stands. */
export function toHeld(answer: Called, payment: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer, payment.job)
  if (order && !isOfRequest(order, payment)) {
    return refusedOrder('refused_other', 'MultiSafepay holds another order under this id.')
  }
  const checkoutUrl = order?.payment_url ?? (order?.status === 'initialized' ? undefined : payment.returnUrl)
  return order && checkoutUrl
    ? announced(payment, checkoutUrl)
    : unavailable('MultiSafepay holds the order, but does not say where it is paid.')
}

/**
 * An order that was announced before is this one only when it asks for the same: `var1` holds the fingerprint that the hub
 * sent with it. Another order is never taken for it, for somebody may have paid that.
 */
function isOfRequest(order: Order, { currency, amount, fingerprint }: PaymentRequest): boolean {
  return order.currency === currency && order.amount === amount && order.var1 === fingerprint
}

/** MultiSafepay does not tell when the page closes. */
function announced(payment: PaymentRequest, checkoutUrl: string): AnnounceAnswer {
  return {
    is: 'announced',
    reference: payment.job,
    checkoutUrl,
    expiresAt: null,
  }
}
