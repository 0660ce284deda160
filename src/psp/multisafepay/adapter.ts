import * as v from 'valibot'
import { decimalsOf } from '../../contract/money.ts'
import { equalInConstantTime, fromBase64, toBase64, toHex, utf8 } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { Mode } from '../../registry/profile.ts'
import {
  type AnnounceAnswer,
  type AskAnswer,
  type Observed,
  type RefusedOrder,
  refusedOrder,
} from '../answer.ts'
import { type Called, apiClient, unavailable } from '../http-client.ts'
import {
  type Connection,
  type Notification,
  type NotificationReading,
  type NotifiedPayment,
  type PaymentRequest,
  type Psp,
  defineAdapter,
} from '../port.ts'
import { refusedBy, seenIn } from '../reading.ts'
import { shorten } from '../values.ts'
import {
  type Order,
  hasSucceeded,
  isFailure,
  isSlow,
  isUnknown,
  isUntouched,
  isUsed,
  meaningOf,
  orderIn,
  pathOf,
  readingOf,
  refuse,
  success,
} from './order.ts'
import { askRefund, refund } from './refunds.ts'
import { Credentials, DESCRIPTION_LENGTH, METHODS, UNSUPPORTED, localeOf } from './tables.ts'

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

function open({ fetch, mode, endpoint = ENDPOINTS[mode], credentials }: Connection<Credentials>): Psp {
  const { apiKey } = credentials
  const headers = { api_key: apiKey }
  const call = apiClient({ fetch, endpoint, headers, secret: apiKey })
  const ask = async (reference: string, currency: string) =>
    seenIn(readingOf(reference), await call('GET', pathOf(reference)), currency)

  return {
    /** MultiSafepay has no idempotency key: it refuses an order id that is used already. */
    async announce(payment, deadline) {
      const refusal = refusalOf(payment)
      if (refusal) return refusal
      const created = await call('POST', '/orders', { body: announcement(payment), deadline })
      if (!isUsed(created)) return toAnnounced(created, payment)
      // It was announced before, and the answer was lost: the order is there, and somebody may have
      // paid it.
      const held = await call('GET', pathOf(payment.job), { deadline })
      return isUnknown(held) ? refuse(created.body, 'payment') : toHeld(held, payment)
    },
    ask,
    async stop(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
      // An order that somebody has begun to pay, or is to transfer money for, is left alone. One
      // without a transaction may still have a page.
      if (order ? order.currency !== currency || !isUntouched(order) : !isUnknown(seen))
        return seenIn(readingOf(reference), seen, currency)
      const stopped = await call('PATCH', pathOf(reference), { body: CANCELLATION })
      if (stopped.is === 'unavailable') return stopped
      const after = await call('GET', pathOf(reference))
      const isStopped = hasSucceeded(stopped)
      if (isUnknown(after) && isStopped) return CANCELLED
      const standing = seenIn(readingOf(reference), after, currency)
      const left = after.is === 'answered' ? orderIn(after.body, reference) : null
      return isStopped ? closedWhereCancelled(standing, left) : standing
    },
    refund: (payment, wanted) => refund(call, payment, wanted),
    askRefund: (payment, wanted) => askRefund(call, payment, wanted),
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: 'OK',
    async check() {
      const answer = await call('GET', '/gateways')
      if (answer.is === 'unavailable') return answer
      return hasSucceeded(answer) ? { is: 'working' } : refuse(answer.body, 'account')
    },
  }
}

export const multisafepay = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  open,
})

/**
 * Nobody can pay an order whose session the hub has ended, unless the customer was told where to
 * send the money.
 */
function closedWhereCancelled(answer: AskAnswer, order: Order | null): AskAnswer {
  return answer.is === 'observed' && answer.status === 'CANCELLED' && order && !isSlow(order)
    ? { ...answer, closed: true }
    : answer
}

/**
 * https://docs.multisafepay.com/reference/updateorder: "To cancel the order and its underlying
 * session".
 */
const CANCELLATION = { status: 'cancelled', exclude_order: true }
const CANCELLED: Observed = {
  is: 'observed',
  status: 'CANCELLED',
  closed: true,
  paid: 0,
  expiresAt: null,
}

/**
 * Why an order is not sent to MultiSafepay at all, or null. "All amounts must be given in cents",
 * and JPY alone is named as having none (https://docs.multisafepay.com/docs/currencies). How it
 * counts other currencies without two decimals is not certain, and a guess could ask for a hundred
 * times the amount.
 */
function refusalOf(payment: PaymentRequest): RefusedOrder | null {
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

/**
 * The longest `notification_url` that MultiSafepay takes:
 * https://docs.multisafepay.com/reference/createorder
 */
const NOTIFICATION_URL_LENGTH = 150

function tooLong(length: number): string {
  return `MultiSafepay takes addresses for notifications of at most ${NOTIFICATION_URL_LENGTH} characters, and this one has ${length}. The hub needs a shorter host name, or the account a shorter id.`
}

/**
 * Where the address of the payment is too long, that of the account does: a notification has the
 * order's id in its body.
 */
function notificationUrlOf({ notificationUrl, job }: PaymentRequest): string {
  return notificationUrl.length > NOTIFICATION_URL_LENGTH && notificationUrl.endsWith(`/${job}`)
    ? notificationUrl.slice(0, -job.length - 1)
    : notificationUrl
}

/** How long the payment page is open: as long as a job lives. MultiSafepay's own is 30 days. */
const SECONDS_ACTIVE = 86_400

/**
 * https://docs.multisafepay.com/reference/createorder. Amounts are in cents, which are ISO 4217's
 * minor units for the currencies that are sent. `close_window` is left out, so that the customer
 * comes back instead of seeing a window close. `var1` comes back with the order, and tells it from
 * another one under the same id.
 */
function announcement(payment: PaymentRequest) {
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
    customer: {
      ...(locale ? { locale } : {}),
      ...(payment.ipAddress ? { ip_address: payment.ipAddress } : {}),
    },
    seconds_active: SECONDS_ACTIVE,
    var1: payment.fingerprint,
  }
}

const Created = v.object({ order_id: v.string(), payment_url: v.pipe(v.string(), v.url()) })

function toAnnounced(answer: Called, { job }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (isFailure(answer)) return refusedBy(readingOf(job), answer, 'payment')
  const order = v.safeParse(success(Created), answer.body)
  const created = order.success && order.output.data.order_id === job ? order.output.data : null
  return created
    ? announced(job, created.payment_url)
    : unavailable('MultiSafepay answered without a page to pay at.')
}

/**
 * An order that can no longer be paid has no page of its own: the customer goes back, and learns
 * how it stands.
 */
function toHeld(answer: Called, payment: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer.body, payment.job)
  if (order && !isOfRequest(order, payment)) {
    return refusedOrder('refused_other', 'MultiSafepay holds another order under this id.')
  }
  const checkoutUrl = order?.payment_url ?? (order?.status === 'initialized' ? undefined : payment.returnUrl)
  return order && meaningOf(order) && checkoutUrl
    ? announced(payment.job, checkoutUrl)
    : unavailable('MultiSafepay holds the order, but does not say where it is paid.')
}

/**
 * An order that was announced before is this one only when it asks for the same: `var1` holds the
 * fingerprint that the hub sent with it. Another order is never taken for it, for somebody may have
 * paid that.
 */
function isOfRequest(order: Order, { currency, amount, fingerprint }: PaymentRequest): boolean {
  return order.currency === currency && order.amount === amount && order.var1 === fingerprint
}

/** MultiSafepay does not tell when the page closes. */
function announced(reference: string, checkoutUrl: string): AnnounceAnswer {
  return { is: 'announced', reference, checkoutUrl, expiresAt: null }
}

/**
 * A notification is the order as it stands, signed in a header:
 * https://docs.multisafepay.com/docs/webhook
 */
async function readNotification(
  notification: Notification,
  { apiKey }: Credentials,
): Promise<NotificationReading> {
  return (await isAuthentic(notification, apiKey))
    ? { is: 'about', payments: paymentsIn(notification) }
    : { is: 'unauthentic' }
}

/** How old a notification may be, in seconds, and how far its clock may be ahead. */
const TOLERANCE = 600

/**
 * `Auth` is the base64 of a timestamp in seconds, a colon, and the hex HMAC-SHA512 of timestamp,
 * colon and body, keyed by the API key: https://docs.multisafepay.com/docs/webhook. The whole
 * header is computed and compared, so another spelling of the same base64 does not pass.
 */
async function isAuthentic({ headers, body, at }: Notification, apiKey: string): Promise<boolean> {
  const auth = headers.get('auth') ?? ''
  const timestamp = timestampIn(auth)
  if (timestamp === null || Math.abs(Math.floor(at / 1000) - Number(timestamp)) > TOLERANCE) return false
  const signature = toHex(await hmac('SHA-512', apiKey, `${timestamp}:${body}`))
  return equalInConstantTime(auth, toBase64(utf8(`${timestamp}:${signature}`)))
}

function timestampIn(auth: string): string | null {
  try {
    return /^(\d{1,12}):/.exec(new TextDecoder().decode(fromBase64(auth)))?.[1] ?? null
  } catch {
    return null
  }
}

/**
 * The order in the body. A refund is an order of its own
 * (https://docs.multisafepay.com/reference/refundorder): one that is told at the address of a job
 * is a reason to ask about that job. None where the body is not an order.
 */
function paymentsIn({ job, body }: Notification): NotifiedPayment[] {
  const order = v.safeParse(Notified, body)
  if (!order.success) return []
  const id = job ?? order.output.order_id
  return [{ job: id, reference: id, claimedStatus: null }]
}

const Notified = v.pipe(v.string(), v.parseJson(), v.object({ order_id: v.string() }))
