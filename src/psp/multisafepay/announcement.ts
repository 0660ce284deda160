import { decimalsOf } from '../../contract/currency.ts'
import type { PaymentRequest } from '../port.ts'
import { type RefusedOrder, refusedOrder } from '../refusal.ts'
import { shorten } from '../shorten.ts'
import { DESCRIPTION_LENGTH, METHODS, localeOf } from './tables.ts'

/**
 * Why an order is not sent to MultiSafepay at all, or null. "All amounts must be given in cents", and JPY alone is named as
 * having none (https://docs.multisafepay.com/docs/currencies). How it counts other currencies without two decimals is not
 * certain, and a guess could ask for a hundred times the amount.
 */
export function refusalOf(payment: PaymentRequest): RefusedOrder | null {
  const { currency } = payment
  if (decimalsOf(currency) !== 2 && currency !== 'JPY') {
    return refusedOrder(
      'refused_amount',
      `MultiSafepay counts amounts in cents, and the hub does not know how it counts ${currency}.`,
    )
  }
  const { length } = notificationUrlOf(payment)
  return length <= NOTIFICATION_URL_LENGTH ? null : refusedOrder('refused_account', tooLong(length))
}

/** The longest `notification_url` that MultiSafepay takes: https://docs.multisafepay.com/reference/createorder */
const NOTIFICATION_URL_LENGTH = 150

function tooLong(length: number): string {
  return `MultiSafepay takes addresses for notifications of at most ${NOTIFICATION_URL_LENGTH} characters, and this one has ${length}. The hub needs a shorter host name, or the account a shorter id.`
}

/** Where the address of the payment is too long, that of the account does: a notification has the order's id in its body. */
function notificationUrlOf({ notificationUrl, job }: PaymentRequest): string {
  return notificationUrl.length > NOTIFICATION_URL_LENGTH && notificationUrl.endsWith(`/${job}`)
    ? notificationUrl.slice(0, -job.length - 1)
    : notificationUrl
}

/** How long the payment page is open: as long as a job lives. MultiSafepay's own is 30 days. */
const SECONDS_ACTIVE = 86_400

/**
 * https://docs.multisafepay.com/reference/createorder. Amounts are in cents, which are ISO 4217's minor units for the
 * currencies that are sent. `close_window` is left out, so that the customer comes back instead of seeing a window close.
 * `var1` comes back with the order, and tells it from another one under the same id.
 */
export function announcement(payment: PaymentRequest) {
  const gateway = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language) ?? (gateway === 'MISTERCASH' ? 'en_US' : undefined)
  return {
    type: 'redirect',
    order_id: payment.job,
    ...(gateway ? { gateway } : {}),
    currency: payment.currency,
    amount: payment.amount,
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    payment_options: {
      notification_url: notificationUrlOf(payment),
      notification_method: 'POST',
      redirect_url: payment.returnUrl,
      cancel_url: payment.cancelUrl,
    },
    customer: { ...(locale ? { locale } : {}), ip_address: payment.ipAddress },
    seconds_active: SECONDS_ACTIVE,
    var1: payment.fingerprint,
  }
}
