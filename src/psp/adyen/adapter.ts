import * as v from 'valibot'
import { DAY, HOUR } from '../../contract/timestamp.ts'
import { Integer } from '../../contract/values.ts'
import {
  AUTHORIZED,
  type InstructionKind,
  type Unavailable,
  reasonIn,
  refusedOrder,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type HttpAnswer, type Call, type CallResult, apiClient } from '../http-client.ts'
import { type Act, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import {
  BY_STATUS,
  type PspReading,
  type ShownPayment,
  announcedIn,
  checkedIn,
  instructedIn,
  seenIn,
  stoppedByHub,
} from '../reading.ts'
import { fromPspUnits, instantOf, shorten, toPspUnits, urlPart } from '../values.ts'
import { EVENTS, readNotification, referenceOf } from './notification.ts'
import { readReport } from './report.ts'
import { TERMINALS, TERMINAL_REFERENCE, terminalsOf } from './terminal.ts'
import { readEvent } from './terminal-event.ts'
import {
  BLOCKED,
  Credentials,
  DESCRIPTION_LENGTH,
  METHODS,
  PAID_LATER_IN_ONE,
  PATIENCE,
  REASONS,
  RESERVES,
  STATUSES,
  UNITS,
  UNSUPPORTED,
  localeOf,
} from './tables.ts'

/**
 * Adyen's Checkout API v71, of which Pay by Link:
 * https://docs.adyen.com/api-explorer/Checkout/71/post/paymentLinks
 */
const TEST_ENDPOINT = 'https://checkout-test.adyen.com/v71'

/** Each company has its own prefix: https://docs.adyen.com/development-resources/live-endpoints */
function endpointOf({ endpoint, mode, credentials: { livePrefix } }: Connection<Credentials>): string {
  if (endpoint !== undefined) return endpoint
  if (mode === 'test') return TEST_ENDPOINT
  if (livePrefix === undefined) throw new Error('Adyen needs a livePrefix in live mode')
  return `https://${livePrefix}-checkout-live.adyenpayments.com/checkout/v71`
}

function open(connection: Connection<Credentials>): Psp {
  const { fetch, credentials } = connection
  const { apiKey, merchantAccount } = credentials
  const account = { headers: { 'x-api-key': apiKey }, secret: apiKey }
  const call = apiClient({
    fetch,
    endpoint: endpointOf(connection),
    authorise: () => account,
    keyHeader: 'idempotency-key',
    isUnderWay: isInProgress,
  })
  const ask = async (reference: string, currency: string) =>
    seenIn(AT_ADYEN, await call('GET', pathOf(reference)), currency)

  const terminals = terminalsOf(connection)
  return {
    ...(terminals ? { terminals } : {}),
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) {
        return refusedOrder('refused_amount', `Adyen takes only whole amounts of ${payment.currency}.`)
      }
      const body = announcement(payment, amount, merchantAccount)
      const options = { body, idempotencyKey: keyAt(merchantAccount, payment.job), deadline }
      return announcedIn(AT_ADYEN, await call('POST', '/paymentLinks', options), payment)
    },
    ask,
    jobOf: async (reference) =>
      TERMINAL_REFERENCE.test(reference) ? null : jobIn(await call('GET', pathOf(reference))),
    /** Leaves a link alone if its payment is on its way, by a method that takes days. */
    async stop(reference, currency) {
      const held = await call('GET', pathOf(reference))
      if (!isActive(held)) return seenIn(AT_ADYEN, held, currency)
      const answer = await call('PATCH', pathOf(reference), { body: { status: 'expired' } })
      const seen = seenIn(AT_ADYEN, answer, currency)
      // Adyen can no longer stop it, so the hub asks about the payment instead.
      const isRefused = answer.is === 'answered' && answer.status >= 400 && seen.is !== 'unknown'
      return isRefused ? ask(reference, currency) : stoppedByHub(seen)
    },
    refund: modifications(call, merchantAccount, 'refund'),
    capture: modifications(call, merchantAccount, 'capture'),
    release: modifications(call, merchantAccount, 'release'),
    keyLife: { capture: KEY_LIFE, release: KEY_LIFE, refund: KEY_LIFE },
    readNotification: async (notification) =>
      (await readEvent(notification, credentials)) ?? readNotification(notification, credentials),
    accepted: '[accepted]',
    merchant: merchantAccount,
    readReport: (name) => readReport(connection, name),
    check: async () =>
      checkedIn(AT_ADYEN, await call('POST', '/paymentMethods', { body: { merchantAccount } })),
  }
}

export const adyen = defineAdapter({
  name: 'Adyen',
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  reserves: RESERVES,
  webhook: `In the Customer Area: Developers → Webhooks → + Webhook → Standard webhook, with the method JSON. Adyen always sends its default event codes; under Events switch on whichever of these is not among them: ${[...EVENTS.keys()].join(', ')}, and REPORT_AVAILABLE for the books. Under Security generate the HMAC key, which is the hmacKey of this account.`,
  terminals: TERMINALS,
  references: new RegExp(`^PL\\w+$|${TERMINAL_REFERENCE.source}`),
  open,
})

/**
 * Returns the idempotency key of a job at a merchant account, at most 64 characters. Adyen keeps the
 * keys of all merchant accounts of a company together, and their names mostly differ at the end:
 * https://docs.adyen.com/development-resources/api-idempotency
 */
function keyAt(merchantAccount: string, job: string): string {
  return `${job}.${merchantAccount.slice(-27)}`
}

function pathOf(reference: string): string {
  return `/paymentLinks/${urlPart(reference)}`
}

/**
 * Returns the link to create. Without `expiresAt` it ends after 24 hours, as the hub's own payments do.
 * Whatever the settings of the merchant account, `captureDelayHours` makes Adyen capture at once, and
 * `manualCapture` makes it wait for the hub. https://docs.adyen.com/online-payments/capture
 */
function announcement(payment: PaymentRequest, amount: number, merchantAccount: string) {
  const description = shorten(payment.description, DESCRIPTION_LENGTH, 'UTF-16 units')
  const types = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  const asks = shopperFieldsFor(types)
  const isInOne = types?.some(isPaidLater) && PAID_LATER_IN_ONE.has(payment.currency)
  return {
    merchantAccount,
    reference: payment.job,
    amount: { currency: payment.currency, value: amount },
    returnUrl: payment.returnUrl,
    ...(payment.capture === 'manual' ? { manualCapture: true } : { captureDelayHours: 0 }),
    ...(description ? { description, merchantOrderReference: description } : {}),
    ...(locale ? { shopperLocale: locale } : {}),
    ...(types ? { allowedPaymentMethods: types } : { blockedPaymentMethods: BLOCKED }),
    ...(asks.length > 0 ? { requiredShopperFields: asks } : {}),
    ...(isInOne ? { countryCode: payment.currency.slice(0, 2) } : {}),
    // "This field is required for … Klarna, Ratepay, and Riverty", which customers may choose: the order as a line.
    ...(types && !types.some(isPaidLater) ? {} : { lineItems: lineOf(description || payment.job, amount) }),
  }
}

function lineOf(description: string, amountIncludingTax: number) {
  return [{ id: '1', description, quantity: 1, amountIncludingTax }]
}

function isPaidLater(type: string): boolean {
  return /^(klarna|riverty)/.test(type)
}

/**
 * Returns the fields that Adyen's page asks the customer for, because an order lacks them. Visa and JCB
 * want an e-mail address with 3D Secure 2
 * (https://docs.adyen.com/online-payments/3d-secure/api-reference), Klarna and Riverty the name and the
 * address.
 */
function shopperFieldsFor(types: readonly string[] | undefined): string[] {
  if (types?.some(isPaidLater)) return ['shopperEmail', 'shopperName', 'billingAddress']
  return !types || types.includes('scheme') ? ['shopperEmail'] : []
}

/** Strict only about the members that decide, so that an oddity elsewhere does not hide a payment. */
const Link = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: v.string(),
  amount: v.object({ currency: v.string(), value: Integer }),
  expiresAt: v.optional(v.unknown()),
  manualCapture: v.optional(v.unknown()),
  allowedPaymentMethods: v.fallback(v.optional(v.array(v.string()), []), []),
  url: v.fallback(v.nullish(v.pipe(v.string(), v.url())), null),
})

function isActive(answer: CallResult): boolean {
  return answer.is === 'answered' && v.is(v.object({ status: v.literal('active') }), answer.body)
}

const Taken = v.object({ pspReference: v.pipe(v.string(), v.nonEmpty()), status: v.literal('received') })

/** "This will always have the value **received**", for a capture, a cancellation and a refund alike. */
const RECEIVED = {
  states: { received: 'pending' },
  read: (body: unknown) => (v.is(Taken, body) ? { id: body.pspReference, status: body.status } : null),
} as const

const AT_ADYEN: PspReading = {
  ...BY_STATUS,
  psp: 'Adyen',
  patience: PATIENCE,
  read: readLink,
  instructions: { capture: RECEIVED, release: RECEIVED, refund: RECEIVED },
  refuse,
}

function readLink(body: unknown, currency: string): ShownPayment | Unavailable | null {
  const link = v.safeParse(Link, body)
  if (!link.success) return null
  const { id, url, status, amount, expiresAt, manualCapture, allowedPaymentMethods } = link.output
  const said = wordIn(STATUSES, status)
  if (!said) return unknownWord('Adyen', 'link', status)
  // Only notifications show how much of it was captured.
  const isReserved = said.is === 'paid' && manualCapture === true
  const meaning = isReserved ? AUTHORIZED : said
  const whole = amount.currency === currency ? fromPspUnits(amount.value, currency, UNITS) : null
  return {
    reference: id,
    checkoutUrl: url,
    expiresAt: instantOf(expiresAt),
    meaning,
    method: isReserved ? (allowedPaymentMethods[0] ?? null) : null,
    amount: whole,
    paid: meaning.is === 'paid' ? whole : 0,
    ...(isReserved ? { authorized: whole } : {}),
  }
}

/** Returns the job that the hub gave a link as its reference. */
function jobIn(answer: CallResult): string | null {
  const link = v.safeParse(v.object({ reference: v.string() }), answer.is === 'answered' ? answer.body : null)
  return link.success ? link.output.reference : null
}

const UNKNOWN_PAYMENT = 'Adyen names the payment in a notification, which has not arrived yet.'

/** The last part of the path of each kind, by the names of Adyen's modifications. */
const MODIFICATIONS = { capture: 'captures', release: 'cancels', refund: 'refunds' } as const

/**
 * Adyen keeps idempotency keys "for a minimum period of 7 days":
 * https://docs.adyen.com/development-resources/api-idempotency. Its API shows no modifications.
 */
const KEY_LIFE = 7 * DAY - HOUR

/**
 * Asks Adyen for captures, cancellations or refunds, with the hub's id of each as the idempotency key.
 * Adyen accepts the request, and reports the outcome in a notification:
 * https://docs.adyen.com/online-payments/capture, …/cancel, …/refund
 */
function modifications(call: Call, merchantAccount: string, kind: InstructionKind): Act {
  return async ({ job, payment }, { id, amount, currency, description, round }) => {
    if (payment === null)
      return kind === 'refund'
        ? { is: 'refused', message: `${UNKNOWN_PAYMENT} Try again later, with another Idempotency-Key.` }
        : { is: 'not-yet', message: UNKNOWN_PAYMENT }
    const value = toPspUnits(amount, currency, UNITS)
    if (value === null) return { is: 'refused', message: `Adyen takes only whole amounts of ${currency}.` }
    const lines = lineOf(shorten(description, DESCRIPTION_LENGTH, 'UTF-16 units') || id, value)
    const isRelease = kind === 'release'
    const body = {
      merchantAccount,
      ...(isRelease ? {} : { amount: { currency, value } }),
      reference: referenceOf(job, id),
      // "Required for partial refunds with … Klarna": a link does not say which method was chosen.
      ...(isRelease ? {} : { lineItems: lines }),
    }
    // Under the same key Adyen would repeat its answer of the previous round.
    const idempotencyKey = round === 1 ? id : `${id}-${round}`
    const path = `/payments/${urlPart(payment)}/${MODIFICATIONS[kind]}`
    return instructedIn(AT_ADYEN, kind, await call('POST', path, { body, idempotencyKey }))
  }
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
 * Returns whether Adyen says by a 422 that it is processing the same request elsewhere: 704 "request
 * already processed or in progress". https://docs.adyen.com/development-resources/api-idempotency
 */
function isInProgress({ status, body }: HttpAnswer): boolean {
  return status === 422 && errorCodeOf(body) === '704'
}

function refuse(body: unknown, what: string) {
  const error = v.safeParse(ServiceError, body)
  if (!error.success) return refusedOrder('refused_other', `Adyen refused the ${what}.`)
  const code = errorCodeOf(body)
  const message = `Adyen refused the ${what}: ${error.output.message}${code === null ? '' : ` (${code})`}`
  return refusedOrder(reasonIn(REASONS, code), message)
}
