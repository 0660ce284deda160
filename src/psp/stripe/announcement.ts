import { formatAmount } from '../../contract/money.ts'
import type { PaymentRequest } from '../port.ts'
import { type RefusedOrder, refusedOrder } from '../refusal.ts'
import { shorten } from '../shorten.ts'
import { fromPspUnits } from '../units.ts'
import { DESCRIPTION_LENGTH, METHODS, UNITS, localeOf } from './tables.ts'

export function tooFine({ amount, currency }: PaymentRequest): RefusedOrder {
  const step = fromPspUnits(UNITS[currency]?.step ?? 1, currency, UNITS) ?? 1
  return refusedOrder(
    'refused_amount',
    `Stripe cannot take ${formatAmount(amount, currency)} ${currency}: it takes multiples of ${formatAmount(step, currency)}.`,
  )
}

/** It sets no `expires_at`: Stripe's own is after 24 hours, as the hub's, and one that counts from now would differ each time. */
export function announcement(payment: PaymentRequest, amount: number): URLSearchParams {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  return new URLSearchParams({
    mode: 'payment',
    client_reference_id: payment.job,
    'line_items[0][price_data][currency]': payment.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': shorten(payment.description, DESCRIPTION_LENGTH),
    'line_items[0][quantity]': '1',
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    ...(method ? { 'allowed_payment_method_types[0]': method } : {}),
    ...(locale ? { locale } : {}),
    'metadata[payment_job]': payment.job,
    'payment_intent_data[metadata][payment_job]': payment.job,
  })
}
