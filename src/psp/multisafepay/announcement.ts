import { decimalsOf } from '../../domain/currency.ts'
import type { Refused } from '../../domain/psp-answer.ts'
import { closestLocale } from '../locale.ts'
import type { PaymentRequest } from '../port.ts'
import { shorten } from '../shorten.ts'
import { DESCRIPTION_LENGTH, LOCALES, METHODS } from './tables.ts'

/**
 * Why an order is not sent to MultiSafepay at all, or null. "All amounts must be given in cents", and JPY alone is named as
 * having none (https://docs.multisafepay.com/docs/currencies). How it counts other currencies without two decimals is not
 * certain, and a guess could ask for a hundred times the amount.
 */
export const refusalOf = ({ currency }: PaymentRequest): Refused | null =>
  decimalsOf(currency) === 2 || currency === 'JPY'
    ? null
    : refused(`MultiSafepay counts amounts in cents, and the hub does not know how it counts ${currency}.`)

const refused = (message: string): Refused => ({ is: 'refused', message })

/** How long the payment page is open: as long as a job lives. MultiSafepay's own is 30 days. */
const SECONDS_ACTIVE = 86_400

/**
 * https://docs.multisafepay.com/reference/createorder. Amounts are in cents, which are ISO 4217's minor units for the
 * currencies that are sent. `close_window` is left out, so that the customer comes back instead of seeing a window close.
 * `var1` comes back with the order, and tells it from another one under the same id.
 */
export const announcement = (payment: PaymentRequest) => {
  const gateway = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, LOCALES) ?? (gateway === 'MISTERCASH' ? 'en_US' : undefined)
  return {
    type: 'redirect',
    order_id: payment.job,
    ...(gateway ? { gateway } : {}),
    currency: payment.currency,
    amount: payment.amount,
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    payment_options: {
      notification_url: payment.notificationUrl,
      notification_method: 'POST',
      redirect_url: payment.returnUrl,
      cancel_url: payment.cancelUrl,
    },
    customer: { ...(locale ? { locale } : {}), ip_address: payment.ipAddress },
    seconds_active: SECONDS_ACTIVE,
    var1: payment.fingerprint,
  }
}
