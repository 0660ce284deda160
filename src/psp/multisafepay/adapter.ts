import * as v from 'valibot'
import { decimalsOf } from '../../contract/money.ts'
import { equalInConstantTime, fromBase64, toBase64, toHex, utf8 } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { Mode } from '../../contract/values.ts'
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
import { countryOf, shorten } from '../values.ts'
import { captures, refunds, releases } from './instructions.ts'
import {
  Order,
  hasSucceeded,
  isFailure,
  isUnknown,
  isUsed,
  jobIn,
  orderIn,
  pathOf,
  refuse,
  success,
} from './order.ts'
import { askForParts, isSlow, isUntouched, meaningOf, readingOf } from './standing.ts'
import { Credentials, DESCRIPTION_LENGTH, METHODS, RESERVES, UNSUPPORTED, localeOf } from './tables.ts'

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

function open({ fetch, mode, endpoint = ENDPOINTS[mode], credentials }: Connection<Credentials>): Psp {
  const { apiKey } = credentials
  const headers = { api_key: apiKey }
  const call = apiClient({ fetch, endpoint, headers, secret: apiKey })

  return {
    /** MultiSafepay has no idempotency key, but refuses an order id that is in use. */
    async announce(payment, deadline) {
      const refusal = refusalOf(payment)
      if (refusal) return refusal
      const created = await call('POST', '/orders', { body: announcement(payment), deadline })
      if (!isUsed(created)) return toAnnounced(created, payment)
      // The hub announced it before and lost the answer: the order exists, and may be paid.
      const held = await call('GET', pathOf(payment.job), { deadline })
      return isUnknown(held) ? refuse(created.body, 'payment') : toHeld(held, payment)
    },
    async ask(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
      return seenIn(readingOf(reference, await askForParts(call, order)), seen, currency)
    },
    async stop(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
      // Leaves an order alone that somebody has begun to pay, or is to transfer money for. An order
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
    capture: captures(call),
    release: releases(call),
    refund: refunds(call),
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
  reserves: RESERVES,
  open,
})

/**
 * Closes an order whose session the hub has ended: nobody can pay it, unless the customer was told
 * where to send the money.
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
 * Returns why the hub does not send an order to MultiSafepay; null if it may. "All amounts must be
 * given in cents", and the documents name only JPY as having none
 * (https://docs.multisafepay.com/docs/currencies). They do not say how other currencies without two
 * decimals count, and a wrong guess could ask for a hundred times the amount.
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
 * Returns the payment's address for notifications, or the account's if that is too long: a
 * notification has the order's id in its body.
 */
function notificationUrlOf({ notificationUrl, job }: PaymentRequest): string {
  return notificationUrl.length > NOTIFICATION_URL_LENGTH && notificationUrl.endsWith(`/${job}`)
    ? notificationUrl.slice(0, -job.length - 1)
    : notificationUrl
}

/** How long the payment page is open: as long as a job lives. MultiSafepay's own is 30 days. */
const SECONDS_ACTIVE = 86_400

/**
 * Returns the order to create: https://docs.multisafepay.com/reference/createorder. Amounts are in
 * cents, the minor units of the currencies that the hub sends. There is no `close_window`, so that
 * the customer comes back instead of seeing a window close. `var1` comes back with the order, and
 * tells it from another order under the same id. `customer.country` is required for cards and PayPal:
 * an order's language is all that tells it. `capture` is as in openapi/components/schemas/Capture.yaml:
 * "Set `manual` to `capture`" in https://docs.multisafepay.com/docs/manual-capture is the wrong way round.
 */
function announcement(payment: PaymentRequest) {
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
 * Returns an existing order as announced. An order that nobody can pay any more has no page: the
 * customer goes to the return address, and learns how it stands.
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
 * Returns whether an existing order asks for the same: `var1` holds the fingerprint that the hub
 * sent. The hub never takes another order for this one, because somebody may have paid that.
 */
function isOfRequest(order: Order, { currency, amount, fingerprint }: PaymentRequest): boolean {
  return order.currency === currency && order.amount === amount && order.var1 === fingerprint
}

/** MultiSafepay does not say when the page closes. */
function announced(reference: string, checkoutUrl: string): AnnounceAnswer {
  return { is: 'announced', reference, way: 'page', checkoutUrl, expiresAt: null }
}

/**
 * Reads a notification: the order as it stands, signed in a header:
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

/** How old (s) a notification may be, and how far its clock may be ahead. */
const TOLERANCE = 600

/**
 * Checks a notification's signature. `Auth` is the base64 of a timestamp in seconds, a colon, and
 * the hex HMAC-SHA512 of timestamp, colon and body, keyed by the API key:
 * https://docs.multisafepay.com/docs/webhook. The hub computes and compares the whole header, so
 * another spelling of the same base64 does not pass.
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
 * Returns the payment in the body; none if it is not an order. A refund is an order of its own
 * (https://docs.multisafepay.com/reference/refundorder): a notification of it at a job's address
 * makes the hub ask about that job.
 */
function paymentsIn({ job, body }: Notification): NotifiedPayment[] {
  const order = v.safeParse(Notified, body)
  if (!order.success) return []
  const id = job ?? jobIn(order.output.order_id)
  const whole = v.safeParse(Order, order.output)
  const isOwn = whole.success && whole.output.order_id === id
  const isPaid = isOwn && meaningOf(whole.output)?.is === 'paid'
  return [{ job: id, reference: id, claimedStatus: isPaid ? 'SUCCESS' : null }]
}

const Notified = v.pipe(v.string(), v.parseJson(), v.looseObject({ order_id: v.string() }))
