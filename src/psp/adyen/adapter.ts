import * as v from 'valibot'
import {
  type AskAnswer,
  type AnnounceAnswer,
  ofOrderOrAccount,
  refusedOrder,
  withoutPayment,
  type Meaning,
  standingOf,
} from '../answer.ts'
import { DAY } from '../../contract/timestamp.ts'
import { type Called, apiClient, postUntilFree, unavailable } from '../http-client.ts'
import { instantOf, shorten, fromPspUnits, toPspUnits, urlPart } from '../values.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import {
  Credentials,
  LinkStatus,
  PATIENCE,
  STATUSES,
  STATUSES_WHEN_STOPPED,
  DESCRIPTION_LENGTH,
  METHODS,
  UNITS,
  localeOf,
} from './tables.ts'
import { isInProgress, toRefused, askRefund, refund } from './refunds.ts'
import { readNotification } from './notification.ts'

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
    askRefund,
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: '[accepted]',
    check: async () => toChecked(await call('POST', '/paymentMethods', { body: { merchantAccount } })),
  }
}

export const adyen = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
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
  const line = { id: '1', description: description || payment.job, quantity: 1, amountIncludingTax: amount }
  return {
    merchantAccount,
    reference: payment.job,
    amount: { currency: payment.currency, value: amount },
    returnUrl: payment.returnUrl,
    captureDelayHours: 0,
    ...(description ? { description } : {}),
    ...(locale ? { shopperLocale: locale } : {}),
    ...(types ? { allowedPaymentMethods: types } : {}),
    // "This field is required for … Klarna, Ratepay, and Riverty": the order as its one line.
    ...(types?.some((type) => /^(klarna|riverty)/.test(type)) ? { lineItems: [line] } : {}),
  }
}

/** What decides is strict. The rest can be of any form: a payment is paid all the same. */
const Link = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: LinkStatus,
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
  const { id, url, expiresAt } = link.output
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

function toSeen(answer: Called, currency: string, meanings: Record<LinkStatus, Meaning>): AskAnswer {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer.status)) return { is: 'unknown' }
  const link = v.safeParse(Link, answer.body)
  if (!link.success || link.output.amount.currency !== currency) {
    const word = unknownWordIn(answer.body)
    return word === null
      ? withoutPayment(answer.status, `Adyen answered ${answer.status} without the payment link.`)
      : unavailable(`Adyen says that the link is "${word}", which the hub does not know.`)
  }
  const standing = standingOf(meanings[link.output.status], PATIENCE, null)
  const amount = fromPspUnits(link.output.amount.value, currency, UNITS)
  if (amount === null) return unavailable('Adyen answered with an amount that cannot be read.')
  const paid = standing.status === 'SUCCESS' ? amount : 0
  return { is: 'observed', ...standing, paid, expiresAt: instantOf(link.output.expiresAt) }
}

/**
 * The status of an answer that the hub does not know, for the operator; null where that is not what
 * is wrong.
 */
function unknownWordIn(body: unknown): string | null {
  const word = v.safeParse(v.object({ id: v.string(), status: v.string() }), body)
  return word.success && !v.is(LinkStatus, word.output.status) ? shorten(word.output.status, 40) : null
}

/** The job that the hub gave a link as its reference. */
function jobIn(answer: Called): string | null {
  const link = v.safeParse(v.object({ reference: v.string() }), answer.is === 'answered' ? answer.body : null)
  return link.success ? link.output.reference : null
}

function toChecked(answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body, 'account')
}
