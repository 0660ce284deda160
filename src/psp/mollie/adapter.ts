import * as v from 'valibot'
import { toDecimal } from '../../contract/money.ts'
import { type AskAnswer, type AnnounceAnswer, ofOrderOrAccount } from '../answer.ts'
import { type Called, apiClient, postUntilFree, isConflict, unavailable } from '../http-client.ts'
import {
  type Checked,
  type Connection,
  type PaymentRequest,
  type Psp,
  type Notification,
  type NotificationReading,
  defineAdapter,
} from '../port.ts'
import { instantOf, decimalsAt, urlPart, shorten } from '../values.ts'
import { toRefused, Payment, amountIn, toSeen, unknownWord } from './payment.ts'
import { askRefund, refund } from './refunds.ts'
import {
  Credentials,
  modeOf,
  MollieStatus,
  LIMITS,
  METHODS,
  UNITS,
  UNSUPPORTED,
  DESCRIPTION_LENGTH,
  localeOf,
} from './tables.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

function open({ fetch, endpoint = ENDPOINT, credentials: { apiKey } }: Connection<Credentials>): Psp {
  const headers = { authorization: `Bearer ${apiKey}` }
  const call = apiClient({ fetch, endpoint, headers, secret: apiKey })
  const ask = async (reference: string, currency: string): Promise<AskAnswer> =>
    toSeen(await call('GET', pathOf(reference)), currency)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: payment.job, deadline }
      return toAnnounced(await postUntilFree(call, '/payments', options, isConflict), payment)
    },
    ask,
    jobOf: async (reference) => jobIn(await call('GET', pathOf(reference))),
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: it can no longer be stopped. How it stands now is the answer.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? ask(reference, currency) : toSeen(answer, currency)
    },
    /**
     * https://docs.mollie.com/reference/create-capture. 422: it is captured already, or no longer
     * held.
     */
    async capture(reference, amount, currency) {
      const value = toDecimal(amount, decimalsAt(currency, UNITS))
      const answer = await call('POST', `${pathOf(reference)}/captures`, {
        body: { amount: { currency, value } },
        idempotencyKey: `${reference}-capture`,
      })
      return answer.is === 'unavailable' ? answer : ask(reference, currency)
    },
    refund: (payment, wanted) => refund(call, payment, wanted),
    askRefund: (payment, wanted) => askRefund(call, payment, wanted),
    readNotification,
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  limits: LIMITS,
  references: /^tr_\w+$/,
  modeOf,
  open,
})

function pathOf(reference: string): string {
  return `/payments/${urlPart(reference)}`
}

function toAnnounced(answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    return ofOrderOrAccount(answer.status, toRefused(answer.body))
  }
  const payment = v.safeParse(Payment, answer.body)
  const checkoutUrl = payment.success ? payment.output._links?.checkout?.href : undefined
  if (!payment.success || !checkoutUrl) return unavailable('Mollie answered without a payment to check out.')
  if (!v.is(MollieStatus, payment.output.status)) return unknownWord(payment.output.status)
  if (amountIn(payment.output.amount, currency) !== amount) {
    return unavailable('Mollie answered with a payment of another amount or currency.')
  }
  const { id, expiresAt } = payment.output
  return { is: 'announced', reference: id, checkoutUrl, expiresAt: instantOf(expiresAt) }
}

const OfJob = v.object({ metadata: v.object({ paymentJob: v.string() }) })

/** The job that the hub gave a payment as its metadata. */
function jobIn(answer: Called): string | null {
  const payment = v.safeParse(OfJob, answer.is === 'answered' ? answer.body : null)
  return payment.success ? payment.output.metadata.paymentJob : null
}

function toChecked(answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}

/** https://docs.mollie.com/reference/create-payment */
export function announcement(payment: PaymentRequest) {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  return {
    amount: {
      currency: payment.currency,
      value: toDecimal(payment.amount, decimalsAt(payment.currency, UNITS)),
    },
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}

/**
 * A form with only the payment's id, which is not signed. The job is in the address that was given
 * with the payment: https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
