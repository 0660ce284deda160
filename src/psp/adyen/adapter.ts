import * as v from 'valibot'
import type { Status } from '../../domain/job.ts'
import type { AnnounceAnswer, PullAnswer } from '../../domain/psp-answer.ts'
import { ADYEN_LOCALES, ADYEN_METHODS } from './tables.ts'
import { adyenKeys, readAdyenNotification } from './notification.ts'
import { type Called, callPsp, callUntilFree, unavailable } from '../http-client.ts'
import { closestLocale } from '../locale.ts'
import { type PaymentRequest, type Checked, type Connection, type Psp, defineAdapter } from '../port.ts'
import { type Units, fromPspUnits, toPspUnits } from '../units.ts'

/** Adyen's Checkout API v71, of which Pay by Link: https://docs.adyen.com/api-explorer/Checkout/71/post/paymentLinks */
const TEST_ENDPOINT = 'https://checkout-test.adyen.com/v71'

/** https://docs.adyen.com/development-resources/live-endpoints: each company has its own prefix. */
const liveEndpoint = (prefix: string): string =>
  `https://${prefix}-checkout-live.adyenpayments.com/checkout/v71`

const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^[\x21-\x7e]+$/, 'must be an Adyen API key, without spaces'),
    v.description('API key, from Developers → API credentials → Server settings → Authentication'),
  ),
  merchantAccount: v.pipe(
    v.string('must be a text'),
    v.regex(/^\S+$/, 'must be the name of a merchant account, without spaces'),
    v.description('Name of the merchant account, as in the top left of the Customer Area'),
  ),
  hmacKey: v.pipe(
    v.string('must be a text'),
    v.check((text) => adyenKeys(text) !== null, 'must be one or more hexadecimal keys, with spaces between'),
    v.description(
      'HMAC key of the webhook, from Developers → Webhooks → Standard webhook → Security; while it is replaced, also the one before it, after a space',
    ),
  ),
  livePrefix: v.optional(
    v.pipe(
      v.string('must be a text'),
      v.regex(/^[A-Za-z0-9-]+$/, 'must be the prefix alone, such as 1797a841fbb37ca7-AdyenDemo'),
      v.description(
        'Prefix of the live endpoint, from Developers → API URLs in the live Customer Area; needed in live mode',
      ),
    ),
  ),
})
type Credentials = v.InferOutput<typeof Credentials>

const LinkStatus = v.picklist(['active', 'completed', 'expired', 'paid', 'paymentPending'])
type LinkStatus = v.InferOutput<typeof LinkStatus>

const Link = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: LinkStatus,
  amount: v.object({ currency: v.string(), value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
  expiresAt: v.nullish(v.pipe(v.string(), v.isoTimestamp())),
  url: v.pipe(v.string(), v.url()),
})
type Link = v.InferOutput<typeof Link>

const ServiceError = v.object({
  message: v.string(),
  errorCode: v.nullish(v.union([v.string(), v.number()])),
})

const open = (connection: Connection<Credentials>): Psp => {
  const { merchantAccount, hmacKey } = connection.credentials
  const call = caller(connection)
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', pathOf(reference)), currency, STATUS)

  return {
    async announce(payment, deadline) {
      const value = toPspUnits(payment.amount, payment.currency, UNITS)
      if (value === null) {
        return { is: 'refused', message: `Adyen takes only whole amounts of ${payment.currency}.` }
      }
      const body = announcement(payment, value, merchantAccount)
      const post = () => call('POST', '/paymentLinks', body, payment.job, deadline)
      return toAnnounced(await callUntilFree(post, isInProgress, deadline))
    },
    pull,
    /** A payment that is on its way by a method that takes its time is left to arrive. */
    async stop(reference, currency) {
      const held = await call('GET', pathOf(reference))
      if (!isActive(held)) return toPulled(held, currency, STATUS)
      const answer = await call('PATCH', pathOf(reference), { status: 'expired' })
      const isRefused = answer.is === 'answered' && answer.status >= 400 && !isUnknown(answer.status)
      // Refused: it can no longer be stopped. How it stands now is the answer.
      return isRefused ? pull(reference, currency) : toPulled(answer, currency, STATUS_WHEN_STOPPED)
    },
    /** One webhook for all of the account; each item in it is signed by itself, and finds its job by its reference. */
    readNotification: ({ body }) => readAdyenNotification(body, adyenKeys(hmacKey) ?? [], merchantAccount),
    accepted: '[accepted]',
    check: async () => toChecked(await call('POST', '/paymentMethods', { merchantAccount })),
  }
}

export const adyen = defineAdapter({ credentials: Credentials, methods: ADYEN_METHODS, open })

const endpointOf = ({ endpoint, mode, credentials: { livePrefix } }: Connection<Credentials>): string => {
  if (endpoint !== undefined) return endpoint
  if (mode === 'test') return TEST_ENDPOINT
  if (livePrefix === undefined) throw new Error('Adyen needs a livePrefix in live mode')
  return liveEndpoint(livePrefix)
}

const pathOf = (reference: string): string => `/paymentLinks/${encodeURIComponent(reference)}`

const caller = (connection: Connection<Credentials>) => {
  const { apiKey } = connection.credentials
  const endpoint = endpointOf(connection)
  return (
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
    deadline?: AbortSignal,
  ): Promise<Called> =>
    callPsp(
      connection.fetch,
      endpoint + path,
      {
        method,
        headers: {
          'x-api-key': apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      apiKey,
      deadline,
    )
}

/** "Maximum length: 280 characters." */
const DESCRIPTION_LENGTH = 280

/** Cut where it is too long, but never within a character. */
const shorten = (text: string): string => text.slice(0, DESCRIPTION_LENGTH).replace(/[\uD800-\uDBFF]$/, '')

/** Without `expiresAt` the link ends after 24 hours, as the hub's own payments do. */
const announcement = (payment: PaymentRequest, value: number, merchantAccount: string) => {
  const description = shorten(payment.description)
  const types = ADYEN_METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, ADYEN_LOCALES)
  return {
    merchantAccount,
    reference: payment.job,
    amount: { currency: payment.currency, value },
    returnUrl: payment.returnUrl,
    ...(description ? { description } : {}),
    ...(locale ? { shopperLocale: locale } : {}),
    ...(types ? { allowedPaymentMethods: types } : {}),
    // "This field is required for … Klarna, Ratepay, and Riverty": the order as its one line.
    ...(types?.some((type) => /^(klarna|riverty)/.test(type))
      ? {
          lineItems: [
            { id: '1', description: description || payment.job, quantity: 1, amountIncludingTax: value },
          ],
        }
      : {}),
  }
}

const errorCodeOf = (body: unknown): string | null => {
  const error = v.safeParse(ServiceError, body)
  return error.success && error.output.errorCode ? String(error.output.errorCode) : null
}

/**
 * The same announcement is under way elsewhere; its answer is ours too, once it is there. Adyen says so with 409 or
 * 422, and 704 "request already processed or in progress": https://docs.adyen.com/development-resources/api-idempotency
 */
const isInProgress = (answer: Called): boolean =>
  answer.is === 'answered' &&
  (answer.status === 409 || (answer.status === 422 && errorCodeOf(answer.body) === '704'))

const toAnnounced = (answer: Called): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  if (isInProgress(answer)) return unavailable('Adyen has the same announcement under way.')
  if (answer.status >= 400) return { is: 'refused', message: refusal(answer.body, 'payment') }
  const link = v.safeParse(Link, answer.body)
  if (!link.success) return unavailable('Adyen answered without a payment link.')
  const { id, url } = link.output
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: expiryOf(link.output) }
}

const isActive = (answer: Called): boolean =>
  answer.is === 'answered' && v.is(v.object({ status: v.literal('active') }), answer.body)

const isUnknown = (status: number): boolean => status === 404 || status === 410

const toPulled = (answer: Called, currency: string, statuses: Record<LinkStatus, Status>): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer.status)) return { is: 'unknown' }
  const link = v.safeParse(Link, answer.body)
  if (!link.success || link.output.amount.currency !== currency) {
    return unavailable(`Adyen answered ${answer.status} without the payment link.`)
  }
  const status = statuses[link.output.status]
  const value = fromPspUnits(link.output.amount.value, currency, UNITS)
  if (value === null) return unavailable('Adyen answered with an amount that cannot be read.')
  return {
    is: 'observed',
    status,
    paid: status === 'SUCCESS' ? value : 0,
    expiresAt: expiryOf(link.output),
  }
}

/** The enum of `status` in PaymentLinkResponse: a pending payment is on its way, by a method that takes its time. */
const STATUS: Record<LinkStatus, Status> = {
  active: 'PENDING',
  paymentPending: 'PENDING',
  completed: 'SUCCESS',
  paid: 'SUCCESS',
  expired: 'EXPIRED',
}

/** To stop a link is to make it expire; the hub knows that it was stopped. */
const STATUS_WHEN_STOPPED: Record<LinkStatus, Status> = { ...STATUS, expired: 'CANCELLED' }

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200
    ? { is: 'working' }
    : { is: 'refused', message: refusal(answer.body, 'account') }
}

const refusal = (body: unknown, what: string): string => {
  const error = v.safeParse(ServiceError, body)
  if (!error.success) return `Adyen refused the ${what}.`
  const code = errorCodeOf(body)
  return `Adyen refused the ${what}: ${error.output.message}${code === null ? '' : ` (${code})`}`
}

const expiryOf = ({ expiresAt }: Link): number | null => (expiresAt ? Date.parse(expiresAt) : null)

/**
 * "For CLP, CVE, IDR, and ISK the standard has a different number of decimals … the decimals in the table on this page
 * are leading": https://docs.adyen.com/development-resources/currency-codes
 */
const UNITS: Units = {
  CLP: { decimals: 2 },
  CVE: { decimals: 0 },
  IDR: { decimals: 0 },
  ISK: { decimals: 2 },
}
