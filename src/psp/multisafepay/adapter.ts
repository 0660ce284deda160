import * as v from 'valibot'
import { fromBase64, toBase64, toHex, utf8 } from '../../crypto/bytes.ts'
import { equalInConstantTime } from '../../crypto/hash.ts'
import { hmac } from '../../crypto/hmac.ts'
import type { AnnounceAnswer, Observed, PullAnswer, Refused, Unavailable } from '../../domain/psp-answer.ts'
import type { Mode } from '../../domain/account.ts'
import { type Called, callPsp, unavailable } from '../http-client.ts'
import { closestLocale } from '../locale.ts'
import { GATEWAYS, LOCALES } from './tables.ts'
import { Order, isUntouched, paidInPart, statusOf } from './order.ts'
import {
  type PaymentRequest,
  type Checked,
  type Connection,
  type Notification,
  type NotifiedPayment,
  type Psp,
  defineAdapter,
} from '../port.ts'

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.trim(),
    v.regex(/^[!-~]{5,}$/, 'must be a MultiSafepay API key: five or more letters and digits'),
    v.description('API key of the website, from Websites → (the website) → API key'),
  ),
})
type Credentials = v.InferOutput<typeof Credentials>

type Answered = Exclude<Called, Unavailable>

const Created = v.object({ order_id: v.string(), payment_url: v.pipe(v.string(), v.url()) })

const success = <const Data extends v.GenericSchema>(data: Data) =>
  v.object({ success: v.literal(true), data })

/** Most failures come with a code; that of a door before the API has only a message. */
const Failure = v.object({
  error_code: v.nullish(v.number()),
  error_info: v.nullish(v.string()),
  message: v.nullish(v.string()),
})

const open = (connection: Connection<Credentials>): Psp => {
  const call = caller(connection)
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', pathOf(reference)), reference, currency)

  return {
    /** There is no idempotency key: the order id does its work. */
    async announce(payment, deadline) {
      const created = await call('POST', '/orders', announcement(payment), deadline)
      if (!hasCode(created, INVALID_ORDER_ID)) return toAnnounced(created, payment)
      // The order is there already, and somebody may have paid it: announced before, with an answer that was lost.
      const held = await call('GET', pathOf(payment.job), undefined, deadline)
      return isUnknown(held) ? refused(created.body) : toHeld(held, payment)
    },
    pull,
    async stop(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = orderIn(seen, reference, currency)
      // An order that somebody has begun to pay is left alone. One without a transaction may still have a page.
      if (order ? !isUntouched(order) : !isUnknown(seen)) return toPulled(seen, reference, currency)
      const stopped = await call('PATCH', pathOf(reference), CANCELLATION)
      if (stopped.is === 'unavailable') return stopped
      const after = await pull(reference, currency)
      return after.is === 'unknown' && hasSucceeded(stopped) ? CANCELLED : after
    },
    readNotification: async (notification) =>
      (await isAuthentic(notification, connection.credentials.apiKey))
        ? { is: 'about', payments: paymentsIn(notification) }
        : { is: 'unauthentic' },
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/gateways')),
  }
}

export const multisafepay = defineAdapter({ credentials: Credentials, methods: GATEWAYS, open })

const caller =
  ({ fetch, mode, credentials: { apiKey }, endpoint = ENDPOINTS[mode] }: Connection<Credentials>) =>
  (method: string, path: string, body?: unknown, deadline?: AbortSignal): Promise<Called> =>
    callPsp(
      fetch,
      endpoint + path,
      {
        method,
        headers: {
          api_key: apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      apiKey,
      deadline,
    )

const pathOf = (reference: string): string => `/orders/${encodeURIComponent(reference)}`

/** How long the payment page is open: as long as a job lives. MultiSafepay's own is 30 days. */
const SECONDS_ACTIVE = 86_400

/** MultiSafepay refuses longer descriptions (error 1008). */
const DESCRIPTION_LENGTH = 200

/**
 * https://docs.multisafepay.com/reference/createorder. Amounts are in "the currency's smallest unit", which is ISO
 * 4217's; `close_window` stays out: the customer shall come back, not see a window close.
 */
const announcement = (payment: PaymentRequest) => {
  const gateway = GATEWAYS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, LOCALES) ?? (gateway === 'MISTERCASH' ? 'en_US' : undefined)
  return {
    type: 'redirect',
    order_id: payment.job,
    ...(gateway ? { gateway } : {}),
    currency: payment.currency,
    amount: payment.amount,
    description: Array.from(payment.description).slice(0, DESCRIPTION_LENGTH).join(''),
    payment_options: {
      notification_url: payment.notificationUrl,
      notification_method: 'POST',
      redirect_url: payment.returnUrl,
      cancel_url: payment.cancelUrl,
    },
    customer: { ...(locale ? { locale } : {}), ip_address: payment.ipAddress },
    seconds_active: SECONDS_ACTIVE,
  }
}

const toAnnounced = (answer: Called, payment: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  const order = v.safeParse(success(Created), answer.body)
  if (order.success && order.output.data.order_id === payment.job) {
    return announced(payment, order.output.data.payment_url)
  }
  return isFailure(answer)
    ? refused(answer.body)
    : unavailable('MultiSafepay answered without a page to pay at.')
}

/** An order that can no longer be paid has no page of its own: the customer goes back, and learns how it stands. */
const toHeld = (answer: Called, payment: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer, payment.job, payment.currency)
  const checkoutUrl = order?.payment_url ?? (order?.status === 'initialized' ? undefined : payment.returnUrl)
  return order && checkoutUrl
    ? announced(payment, checkoutUrl)
    : unavailable('MultiSafepay holds the order, but does not say where it is paid.')
}

/** MultiSafepay does not tell when the page closes. */
const announced = (payment: PaymentRequest, checkoutUrl: string): AnnounceAnswer => ({
  is: 'announced',
  reference: payment.job,
  checkoutUrl,
  expiresAt: null,
})

const toPulled = (answer: Called, reference: string, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer)) return { is: 'unknown' }
  const order = orderIn(answer, reference, currency)
  if (!order) return unavailable(`MultiSafepay answered ${answer.status} without the order.`)
  const status = statusOf(order)
  const paid = status === 'SUCCESS' ? order.amount : status === 'PENDING' ? paidInPart(order) : 0
  return { is: 'observed', status, paid, expiresAt: null }
}

const orderIn = (answer: Called, reference: string, currency: string): Order | null => {
  const order = v.safeParse(success(Order), answer.is === 'answered' ? answer.body : null)
  if (!order.success) return null
  const { data } = order.output
  return data.order_id === reference && data.currency === currency ? data : null
}

/** https://docs.multisafepay.com/reference/updateorder: "To cancel the order and its underlying session". */
const CANCELLATION = { status: 'cancelled', exclude_order: true }
const CANCELLED: Observed = { is: 'observed', status: 'CANCELLED', paid: 0, expiresAt: null }

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return hasSucceeded(answer) ? { is: 'working' } : refused(answer.body)
}

/** One that is not known, or is used already: https://docs.multisafepay.com/reference/error-reference */
const INVALID_ORDER_ID = 1006

const hasCode = (answer: Called, code: number): answer is Answered =>
  answer.is === 'answered' &&
  v.is(v.object({ success: v.literal(false), error_code: v.literal(code) }), answer.body)

const isUnknown = (answer: Called): boolean =>
  (answer.is === 'answered' && answer.status === 404) || hasCode(answer, INVALID_ORDER_ID)

const hasSucceeded = (answer: Answered): boolean => v.is(v.object({ success: v.literal(true) }), answer.body)

/** The clients of MultiSafepay go by `success`, whatever the HTTP status. */
const isFailure = ({ status, body }: Answered): boolean =>
  status >= 400 || v.is(v.object({ success: v.literal(false) }), body)

const refused = (body: unknown): Refused => {
  const failure = v.safeParse(Failure, body)
  const { error_code, error_info, message } = failure.success ? failure.output : {}
  const why = error_info || message
  return {
    is: 'refused',
    message: why
      ? `MultiSafepay refused the payment: ${why}${error_code ? ` (${error_code})` : ''}`
      : 'MultiSafepay refused the payment.',
  }
}

/** How old a notification may be, in seconds, and how far its clock may be ahead. */
const TOLERANCE = 600

/**
 * `Auth` is the base64 of a timestamp in seconds, a colon, and the hex HMAC-SHA512 of timestamp, colon and body, keyed
 * by the API key: https://docs.multisafepay.com/docs/webhook. All of it is made anew and compared as a whole, so no
 * other writing of the same base64 passes.
 */
const isAuthentic = async ({ headers, body, at }: Notification, apiKey: string): Promise<boolean> => {
  const auth = headers.get('auth') ?? ''
  const timestamp = timestampIn(auth)
  if (timestamp === null || Math.abs(Math.floor(at / 1000) - Number(timestamp)) > TOLERANCE) return false
  const signature = toHex(await hmac('SHA-512', apiKey, `${timestamp}:${body}`))
  return equalInConstantTime(auth, toBase64(utf8(`${timestamp}:${signature}`)))
}

const timestampIn = (auth: string): string | null => {
  try {
    return /^(\d{1,12}):/.exec(new TextDecoder().decode(fromBase64(auth)))?.[1] ?? null
  } catch {
    return null
  }
}

/** Nothing where the body is no order, or another one than that of the address. */
const paymentsIn = ({ job, body }: Notification): NotifiedPayment[] => {
  const order = v.safeParse(Notified, body)
  if (!order.success || (job !== null && order.output.order_id !== job)) return []
  const { order_id } = order.output
  return [{ job: order_id, reference: order_id, claimedStatus: null }]
}

const Notified = v.pipe(v.string(), v.parseJson(), v.object({ order_id: v.string() }))
