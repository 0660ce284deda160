import type { Order } from '../contract/order.ts'
import type { PaymentRequest } from '../psp/port.ts'

/** The order as it is announced at a PSP, with the addresses of the hub that the PSP sends customer and word to. */
export function paymentRequestOf(job: {
  id: string
  link: string
  fingerprint: string
  origin: string
  account: string
  order: Order
}): PaymentRequest {
  return {
    job: job.id,
    fingerprint: job.fingerprint,
    currency: job.order.currency,
    amount: job.order.amount,
    description: job.order.orderNumber,
    paymentMethod: job.order.paymentMethod,
    language: job.order.language,
    ipAddress: job.order.ipAddress,
    returnUrl: `${job.origin}/return/${job.link}`,
    cancelUrl: `${job.origin}/return/${job.link}?cancelled=1`,
    notificationUrl: `${job.origin}/notifications/${job.account}/${job.link}`,
  }
}
