import * as v from 'valibot'
import { DAY } from '../../contract/timestamp.ts'
import { withDeadline } from '../../platform/deadline.ts'
import {
  type AnnounceAnswer,
  type AskAnswer,
  type RefundAnswer,
  type RefusedOrder,
  ofOrderOrAccount,
  reasonIn,
  refusedOrder,
  standingOf,
  unknownWord,
  withoutPayment,
  wordIn,
} from '../answer.ts'
import {
  type Call,
  type Called,
  DEADLINE,
  apiClient,
  checked,
  postUntilFree,
  unavailable,
} from '../http-client.ts'
import {
  type Connection,
  type PaidPayment,
  type PaymentRequest,
  type Psp,
  type RefundRequest,
  defineAdapter,
} from '../port.ts'
import { type RefundsAt, askedRefund } from '../refunds.ts'
import { fromPspUnits, instantOf, shorten, toPspUnits, urlPart } from '../values.ts'
import { readNotification, referenceOf } from './notification.ts'
import { readReport } from './report.ts'
import {
  Credentials,
  DESCRIPTION_LENGTH,
  METHODS,
  PATIENCE,
  REASONS,
  STATUSES,
  STATUSES_WHEN_STOPPED,
  UNITS,
  UNSUPPORTED,
  localeOf,
} from './tables.ts'

/**
 * Adyen's Checkout API v71, of which Pay by Link:
 * https://docs.adyen.com/api-explorer/Checkout/71/post/paymentLinks
 */
const TEST_ENDPOINT = 'https://checkout-test.adyen.com/v71'

/** https://docs.adyen.com/development-resources/live-endpoints: each company has its own prefix. */
function endpointOf({ endpoint, mode, credentials: { livePrefix } }: Connection<Credentials>): string {
  if (endpoint !== undefined) return endpoint
  if (mode === 'test') return TEST_ENDPOINT
  if (livePrefix === undefined) throw new Error('Adyen needs a livePrefix in live mode')
  return `https://${livePrefix}-checkout-live.adyenpayments.com/checkout/v71`
}

function open(connection: Connection<Credentials>): Psp {
  const { fetch, credentials } = connection
  const { apiKey, merchantAccount } = credentials
  const headers = { 'x-api-key': apiKey }
  const call = apiClient({ fetch, endpoint: endpointOf(connection), headers, secret: apiKey })
  const ask = async (reference: string, currency: string): Promise<AskAnswer> =>
    toSeen(await call('GET', pathOf(reference)), currency, STATUSES)

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) {
        return refusedOrder('refused_amount', `Adyen takes only whole amounts of ${payment.currency}.`)
      }
      const body = announcement(payment, amount, merchantAccount)
      const options = { body, idempotencyKey: payment.job, deadline }
      const answer = await postUntilFree(call, '/paymentLinks', options, isInProgress)
      return toAnnounced(answer, payment.currency, amount)
    },
    ask,
    jobOf: async (reference) => jobIn(await call('GET', pathOf(reference))),
    /** A link whose payment is on its way, by a method that takes days, is left as it is. */
    async stop(reference, currency) {
      const held = await call('GET', pathOf(reference))
      if (!isActive(held)) return toSeen(held, currency, STATUSES)
      const answer = await call('PATCH', pathOf(reference), { body: { status: 'expired' } })
      const isRefused = answer.is === 'answered' && answer.status >= 400 && !isUnknown(answer.status)
      // Refused: it can no longer be stopped. How it stands now is the answer.
      return isRefused ? ask(reference, currency) : toSeen(answer, currency, STATUSES_WHEN_STOPPED)
    },
    refund: (payment, wanted) => refund(call, merchantAccount, payment, wanted),
    // Adyen keeps keys for a week at least:
    // https://docs.adyen.com/development-resources/api-idempotency
    refundKeyLife: DAY,
    /** Adyen's API does not show refunds: until a notification comes, nothing is known. */
    askRefund: async () => unavailable('Adyen tells by a notification alone what became of a refund.'),
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: '[accepted]',
    readReport: (name) => readReport(connection, name),
    check: async () =>
      checked(await call('POST', '/paymentMethods', { body: { merchantAccount } }), (body) =>
        toRefused(body, 'account'),
      ),
  }
}

export const adyen = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  webhook:
    'In the Customer Area: Developers → Webhooks → + Webhook → Standard webhook, with its default events, and REPORT_AVAILABLE for the books. Under Security generate the HMAC key, which is the hmacKey of this account.',
  references: /^PL\w+$/,
  open,
})

function pathOf(reference: string): string {
  return `/paymentLinks/${urlPart(reference)}`
}

/**
 * Without `expiresAt` the link ends after 24 hours, as the hub's own payments do.
 * `captureDelayHours` makes Adyen capture at once, whatever the merchant account is set to: a link
 * is completed once its payment is authorised. https://docs.adyen.com/online-payments/capture
 */
function announcement(payment: PaymentRequest, amount: number, merchantAccount: string) {
  const description = shorten(payment.description, DESCRIPTION_LENGTH, 'UTF-16 units')
  const types = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  const asks = shopperFieldsFor(types)
  return {
    merchantAccount,
    reference: payment.job,
    amount: { currency: payment.currency, value: amount },
    returnUrl: payment.returnUrl,
    captureDelayHours: 0,
    ...(description ? { description, merchantOrderReference: description } : {}),
    ...(locale ? { shopperLocale: locale } : {}),
    ...(types ? { allowedPaymentMethods: types } : {}),
    ...(asks.length > 0 ? { requiredShopperFields: asks } : {}),
    // "This field is required for … Klarna, Ratepay, and Riverty": the order as its one line.
    ...(types?.some(isPaidLater) ? { lineItems: lineOf(description || payment.job, amount) } : {}),
  }
}

function lineOf(description: string, amountIncludingTax: number) {
  return [{ id: '1', description, quantity: 1, amountIncludingTax }]
}

function isPaidLater(type: string): boolean {
  return /^(klarna|riverty)/.test(type)
}

/**
 * What Adyen's page asks the customer for, because an order does not have it. Visa and JCB want an
 * e-mail address with 3D Secure 2 (https://docs.adyen.com/online-payments/3d-secure/api-reference),
 * Klarna and Riverty the name and the address.
 */
function shopperFieldsFor(types: readonly string[] | undefined): string[] {
  if (types?.some(isPaidLater)) return ['shopperEmail', 'shopperName', 'billingAddress']
  return !types || types.includes('scheme') ? ['shopperEmail'] : []
}

/** What decides is strict. The rest can be of any form: a payment is paid all the same. */
const Link = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: v.string(),
  amount: v.object({ currency: v.string(), value: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) }),
  expiresAt: v.optional(v.unknown()),
  url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})

function toAnnounced(answer: Called, currency: string, amount: number): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (isInProgress(answer)) return unavailable('Adyen has the same announcement under way.')
  if (answer.status >= 400) return ofOrderOrAccount(answer.status, toRefused(answer.body, 'payment'))
  const link = v.safeParse(Link, answer.body)
  if (!link.success || !link.output.url) return unavailable('Adyen answered without a payment link.')
  const { id, url, status, expiresAt } = link.output
  if (!wordIn(STATUSES, status)) return unknownWord('Adyen', 'link', status)
  if (link.output.amount.currency !== currency || link.output.amount.value !== amount) {
    return unavailable('Adyen answered with a link for another amount or currency.')
  }
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: instantOf(expiresAt) }
}

function isActive(answer: Called): boolean {
  return answer.is === 'answered' && v.is(v.object({ status: v.literal('active') }), answer.body)
}

function isUnknown(status: number): boolean {
  return status === 404 || status === 410
}

function toSeen(answer: Called, currency: string, meanings: typeof STATUSES): AskAnswer {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer.status)) return { is: 'unknown' }
  const link = v.safeParse(Link, answer.body)
  if (!link.success || link.output.amount.currency !== currency)
    return withoutPayment(answer.status, `Adyen answered ${answer.status} without the payment link.`)
  const { status, amount, expiresAt } = link.output
  const meaning = wordIn(meanings, status)
  if (!meaning) return unknownWord('Adyen', 'link', status)
  const standing = standingOf(meaning, PATIENCE, null)
  const whole = fromPspUnits(amount.value, currency, UNITS)
  if (whole === null) return unavailable('Adyen answered with an amount that cannot be read.')
  const paid = standing.status === 'SUCCESS' ? whole : 0
  return { is: 'observed', ...standing, paid, expiresAt: instantOf(expiresAt) }
}

/** The job that the hub gave a link as its reference. */
function jobIn(answer: Called): string | null {
  const link = v.safeParse(v.object({ reference: v.string() }), answer.is === 'answered' ? answer.body : null)
  return link.success ? link.output.reference : null
}

const Taken = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()), status: v.literal('received') })

const AT_ADYEN: RefundsAt = {
  psp: 'Adyen',
  states: { received: 'pending' },
  read: (body) => (v.is(Taken, body) ? { id: body.pspReference, status: body.status } : null),
  refuse: (body) => toRefused(body, 'refund'),
  isUnderWay: isInProgress,
}

const UNKNOWN_PAYMENT =
  'Adyen tells by a notification which payment it is, and has not done so yet. Try again later, with another Idempotency-Key.'

/**
 * https://docs.adyen.com/api-explorer/Checkout/71/post/payments/(paymentPspReference)/refunds:
 * Adyen takes the request, and says by a notification what became of it. The hub's id of the refund
 * is its idempotency key.
 */
async function refund(
  call: Call,
  merchantAccount: string,
  { job, payment }: PaidPayment,
  { id, amount, currency, description, round }: RefundRequest,
): Promise<RefundAnswer> {
  if (payment === null) return { is: 'refused', message: UNKNOWN_PAYMENT }
  const value = toPspUnits(amount, currency, UNITS)
  if (value === null) return { is: 'refused', message: `Adyen takes only whole amounts of ${currency}.` }
  const body = {
    merchantAccount,
    amount: { currency, value },
    reference: referenceOf(job, id),
    // "Required for partial refunds with … Klarna": a link does not say which method was chosen.
    lineItems: lineOf(shorten(description, DESCRIPTION_LENGTH, 'UTF-16 units') || id, value),
  }
  const path = `/payments/${urlPart(payment)}/refunds`
  return withDeadline(DEADLINE, async (deadline) => {
    // Under the same key Adyen would repeat its answer of the round before.
    const idempotencyKey = round === 1 ? id : `${id}-${round}`
    const options = { body, idempotencyKey, deadline }
    return askedRefund(AT_ADYEN, await postUntilFree(call, path, options, isInProgress))
  })
}

/** https://docs.adyen.com/development-resources/error-codes */
const ServiceError = v.object({
  message: v.string(),
  errorCode: v.nullish(v.union([v.string(), v.number()])),
})

function errorCodeOf(body: unknown): string | null {
  const error = v.safeParse(ServiceError, body)
  return error.success && error.output.errorCode ? String(error.output.errorCode) : null
}

/**
 * Whether the same request is under way elsewhere. Adyen says so with 409, or with 422 and 704
 * "request already processed or in progress":
 * https://docs.adyen.com/development-resources/api-idempotency
 */
function isInProgress(answer: Called): boolean {
  return (
    answer.is === 'answered' &&
    (answer.status === 409 || (answer.status === 422 && errorCodeOf(answer.body) === '704'))
  )
}

function toRefused(body: unknown, what: 'payment' | 'account' | 'refund'): RefusedOrder {
  const error = v.safeParse(ServiceError, body)
  if (!error.success) return refusedOrder('refused_other', `Adyen refused the ${what}.`)
  const code = errorCodeOf(body)
  const message = `Adyen refused the ${what}: ${error.output.message}${code === null ? '' : ` (${code})`}`
  return refusedOrder(reasonIn(REASONS, code), message)
}
