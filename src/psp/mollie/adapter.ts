import * as v from 'valibot'
import type { Status } from '../../domain/job.ts'
import { parseAmount, toDecimal } from '../../domain/money.ts'
import type { PullAnswer } from '../../domain/psp-answer.ts'
import { type Called, apiClient, callUntilFree, isConflict, unavailable } from '../http-client.ts'
import { instantOf } from '../instant.ts'
import { closestLocale } from '../locale.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { type AnnounceAnswer, ofOrderOrAccount, withoutPayment } from '../refusal.ts'
import { shorten } from '../shorten.ts'
import { decimalsAt } from '../units.ts'
import { Credentials, modeOf } from './credentials.ts'
import { toRefused } from './error.ts'
import { readNotification } from './notification.ts'
import { DESCRIPTION_LENGTH, LOCALES, METHODS, UNITS, UNSUPPORTED } from './tables.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

const open = ({ fetch, endpoint = ENDPOINT, credentials: { apiKey } }: Connection<Credentials>): Psp => {
  const headers = { authorization: `Bearer ${apiKey}` }
  const call = apiClient({ fetch, endpoint, headers, secret: apiKey })
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', pathOf(reference)), currency)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: payment.job, deadline }
      const post = () => call('POST', '/payments', options)
      return toAnnounced(await callUntilFree(post, isConflict, deadline), payment)
    },
    pull,
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: it can no longer be stopped. How it stands now is the answer.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? pull(reference, currency) : toPulled(answer, currency)
    },
    readNotification,
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  modeOf,
  open,
})

const pathOf = (reference: string): string => `/payments/${encodeURIComponent(reference)}`

/** https://docs.mollie.com/reference/create-payment */
const announcement = (payment: PaymentRequest) => {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, LOCALES)
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

const MollieStatus = v.picklist(['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed'])

const Amount = v.object({ currency: v.string(), value: v.string() })

const Url = v.pipe(v.string(), v.url())
const Links = v.object({ checkout: v.nullish(v.object({ href: Url })) })

/** What decides is strict. The rest can be of any form: a payment is paid all the same. */
const Payment = v.object({
  id: v.pipe(v.string(), v.startsWith('tr_')),
  status: MollieStatus,
  amount: Amount,
  amountCaptured: v.optional(v.unknown()),
  expiresAt: v.optional(v.unknown()),
  _links: v.fallback(v.nullish(Links), null),
})

const toAnnounced = (answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    return ofOrderOrAccount(answer.status, toRefused(answer.body))
  }
  const payment = v.safeParse(Payment, answer.body)
  const checkoutUrl = payment.success ? payment.output._links?.checkout?.href : undefined
  if (!payment.success || !checkoutUrl) return unavailable('Mollie answered without a payment to check out.')
  if (amountIn(payment.output.amount, currency) !== amount) {
    return unavailable('Mollie answered with a payment of another amount or currency.')
  }
  const { id, expiresAt } = payment.output
  return { is: 'announced', reference: id, checkoutUrl, expiresAt: instantOf(expiresAt) }
}

const toPulled = (answer: Called, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  const payment = v.safeParse(Payment, answer.body)
  if (!payment.success)
    return withoutPayment(answer.status, `Mollie answered ${answer.status} without the payment.`)
  const status = STATUS[payment.output.status]
  const { amount, amountCaptured, expiresAt } = payment.output
  const whole = amountIn(amount, currency)
  // "The total amount that is already captured": less than the whole where the rest was released.
  const paid = status === 'SUCCESS' ? amountIn(amountCaptured ?? amount, currency) : 0
  if (whole === null || paid === null)
    return unavailable('Mollie answered with an amount that cannot be read.')
  return { is: 'observed', status, paid, expiresAt: instantOf(expiresAt) }
}

/** An amount in minor units; null where it is in another currency, or cannot be read. */
const amountIn = (value: unknown, currency: string): number | null => {
  const amount = v.safeParse(Amount, value)
  if (!amount.success || amount.output.currency !== currency) return null
  const minor = parseAmount(amount.output.value, currency)
  return minor.ok ? minor.value : null
}

/** https://docs.mollie.com/docs/status-change: an authorized payment is not yet paid. */
const STATUS: Record<v.InferOutput<typeof MollieStatus>, Status> = {
  open: 'PENDING',
  pending: 'PENDING',
  authorized: 'PENDING',
  paid: 'SUCCESS',
  canceled: 'CANCELLED',
  expired: 'EXPIRED',
  failed: 'FAILURE',
}

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}
