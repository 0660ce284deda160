import { toDecimal } from '../../contract/money.ts'
import type { PaymentRequest } from '../port.ts'
import { shorten } from '../shorten.ts'
import { decimalsAt } from '../units.ts'
import { DESCRIPTION_LENGTH, METHODS, UNITS, localeOf } from './tables.ts'

/** https://docs.mollie.com/reference/create-payment */
export function announcement(payment: PaymentRequest) {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  return {
    amount: {
      currency: payment.currency,
      value: toDecimal(payment.amount, decimalsAt(payment.currency, UNITS)),
    },
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}
