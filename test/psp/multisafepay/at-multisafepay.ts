import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import * as double from '../../support/psps/multisafepay-order.ts'
import { type Answer, type Answers, announcedBody, openScripted, paymentRequest } from '../scripted.ts'

export const API_KEY = '8hdnCxGl2RYzqK5sVmWb0tJ3PfEoUa7iLcTgNrXy'

const HELD = double.newOrder(API_KEY, {
  type: 'redirect',
  order_id: paymentRequest.job,
  gateway: 'IDEAL',
  currency: 'EUR',
  amount: 1250,
  description: paymentRequest.description,
  payment_options: {
    notification_url: paymentRequest.notificationUrl,
    notification_method: 'POST',
    redirect_url: paymentRequest.returnUrl,
    cancel_url: paymentRequest.cancelUrl,
  },
  customer: { locale: 'nl_NL' },
  var1: paymentRequest.fingerprint,
})

/** The order as MultiSafepay shows it, with changes. */
export function order(changes: object = {}): Record<string, unknown> {
  return {
    ...double.orderJson(HELD),
    ...changes,
  }
}

export function shown(changes: object = {}): Answer {
  return async () => double.succeeded(order(changes))
}

export const PAGE = double.pageOf(HELD)

export function created(changes: object = {}): Answer {
  return async () => double.succeeded({ ...double.createdJson(HELD), ...changes })
}

export function failure(...error: Parameters<typeof double.failed>): Answer {
  return async () => double.failed(...error)
}

export function atMultiSafepay(...answers: Answers) {
  return openScripted(multisafepay, { mode: 'live', credentials: { apiKey: API_KEY } }, answers)
}

export const CREATE = 'POST /v1/json/orders'
export const GET = `GET /v1/json/orders/${paymentRequest.job}`
export const PATCH = `PATCH /v1/json/orders/${paymentRequest.job}`

/** What the adapter sends for a payment request, as MultiSafepay would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atMultiSafepay(created()), changes)) as Record<string, unknown>
}
