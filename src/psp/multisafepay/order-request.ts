import { decimalsOf } from '../../contract/money.ts'
import { type RefusedOrder, refusedOrder } from '../answer.ts'
import type { PaymentRequest } from '../port.ts'
import { countryOf, shorten } from '../values.ts'
import type { ShownOrder } from './order.ts'
import { DESCRIPTION_LENGTH, METHODS, localeOf } from './tables.ts'

/**
 * Returns why the hub does not send an order to MultiSafepay; null if it may. "All amounts must be given
 * in cents", and the documentation names only JPY as having none
 * (https://docs.multisafepay.com/docs/currencies). It does not say how it counts other currencies without
 * two decimals, and a wrong guess could ask for a hundred times the amount.
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
  if (length <= NOTIFICATION_URL_LENGTH) return null
  return refusedOrder(
    'refused_account',
    `MultiSafepay takes addresses for notifications of at most ${NOTIFICATION_URL_LENGTH} characters, but this one ` +
      `has ${length}. Use a shorter host name for the hub, or a shorter id for the account.`,
  )
}

/**
 * The longest `notification_url` that MultiSafepay takes:
 * https://docs.multisafepay.com/reference/createorder
 */
const NOTIFICATION_URL_LENGTH = 150

/**
 * Returns the payment's address for notifications, or the account's if that is too long: a notification
 * also has the order's id in its body.
 */
function notificationUrlOf({ notificationUrl, job }: PaymentRequest): string {
  return notificationUrl.length > NOTIFICATION_URL_LENGTH && notificationUrl.endsWith(`/${job}`)
    ? notificationUrl.slice(0, -job.length - 1)
    : notificationUrl
}

/** How long the payment page is open: as long as a job. MultiSafepay's default is 30 days. */
const SECONDS_ACTIVE = 86_400

/**
 * Returns the order to create: https://docs.multisafepay.com/reference/createorder. Amounts are in
 * cents, the minor units of the currencies that the hub sends. There is no `close_window`, so that the
 * customer comes back instead of seeing a window close. `var1` comes back with the order, and shows
 * whether it is another order under the same id. `customer.country` is required for cards and PayPal;
 * the hub can only derive it from the order's language. `capture` follows
 * openapi/components/schemas/Capture.yaml: "Set `manual` to `capture`" in
 * https://docs.multisafepay.com/docs/manual-capture is the wrong way round.
 */
export function announcement(payment: PaymentRequest) {
  const gateway = METHODS.get(payment.paymentMethod.toLowerCase())
  const country = countryOf(payment.language)
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
    customer: {
      ...(locale ? { locale } : {}),
      ...(country ? { country } : {}),
      ...(payment.ipAddress ? { ip_address: payment.ipAddress } : {}),
    },
    ...(payment.capture === 'manual' ? { capture: 'manual' } : {}),
    seconds_active: SECONDS_ACTIVE,
    var1: payment.fingerprint,
  }
}

/**
 * Returns whether an existing order is the requested one: `var1` has the fingerprint that the hub sent.
 * The hub never takes another order for this one, because that may have been paid.
 */
export function isOfRequest(order: ShownOrder, { currency, amount, fingerprint }: PaymentRequest): boolean {
  return order.currency === currency && order.amount === amount && order.var1 === fingerprint
}
