import * as v from 'valibot'
import type { Status } from '../../domain/job.ts'
import { formatAmount } from '../../domain/money.ts'
import type { AnnounceAnswer, PullAnswer, Refused, Unavailable } from '../../domain/psp-answer.ts'
import { type Called, callPsp, callUntilFree, isConflict, unavailable } from '../http-client.ts'
import { closestLocale } from '../locale.ts'
import { type PaymentRequest, type Checked, type Connection, type Psp, defineAdapter } from '../port.ts'
import { readNotification } from './notification.ts'
import { LOCALES, METHODS, UNITS } from './tables.ts'
import { fromPspUnits, toPspUnits } from '../units.ts'

/** Stripe Checkout: https://docs.stripe.com/api/checkout/sessions */
const ENDPOINT = 'https://api.stripe.com'

/**
 * The version of the API that all of this was written for, whatever the account's own is. From 2026-09-30 on a payment
 * method is asked for by `allowed_payment_method_types`; `payment_method_types` is refused:
 * https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
 */
const VERSION = '2026-10-28.endive'

const Credentials = v.object({
  secretKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^[sr]k_(test|live)_[\x21-\x7e]+$/, 'must be a Stripe secret key: sk_live_…, sk_test_…, rk_…'),
    v.description(
      'secret key (sk_…), or a restricted one (rk_…) that may write Checkout Sessions and read PaymentIntents, from Developers → API keys',
    ),
  ),
  webhookSecret: v.pipe(
    v.string('must be a text'),
    v.regex(
      /^[\s,]*whsec_[^\s,]+([\s,]+whsec_[^\s,]+)*[\s,]*$/,
      'must be a Stripe signing secret: whsec_…, or several with spaces between them',
    ),
    v.description(
      "the webhook endpoint's signing secret (whsec_…), from Developers → Webhooks; while it is rolled the one before it too, after a space",
    ),
  ),
})
type Credentials = v.InferOutput<typeof Credentials>

const SessionStatus = v.picklist(['open', 'complete', 'expired'])
const PaymentStatus = v.picklist(['paid', 'unpaid', 'no_payment_required'])
const IntentStatus = v.picklist([
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'requires_capture',
  'processing',
  'succeeded',
  'canceled',
])

const Session = v.object({
  id: v.pipe(v.string(), v.startsWith('cs_')),
  status: SessionStatus,
  payment_status: PaymentStatus,
  currency: v.string(),
  amount_total: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  expires_at: v.pipe(v.number(), v.safeInteger()),
  url: v.nullish(v.string()),
  payment_intent: v.nullish(v.union([v.string(), v.object({ status: IntentStatus })])),
})
type Session = v.InferOutput<typeof Session>

const Problem = v.object({
  error: v.object({
    message: v.optional(v.string()),
    code: v.optional(v.string()),
    param: v.nullish(v.string()),
  }),
})

const open = (connection: Connection<Credentials>): Psp => {
  const call = caller(connection)
  const sessionPath = (reference: string) => `/v1/checkout/sessions/${encodeURIComponent(reference)}`
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', `${sessionPath(reference)}?expand[]=payment_intent`), currency)

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) return tooFine(payment)
      const body = announcement(payment, amount)
      let replayed = false
      const post = caller({
        ...connection,
        fetch: async (request) => {
          const response = await connection.fetch(request)
          replayed = response.headers.get('idempotent-replayed') === 'true'
          return response
        },
      })
      for (const key of keysOf(payment.job)) {
        const postOnce = () => post('POST', '/v1/checkout/sessions', body, key, deadline)
        const answer = await callUntilFree(postOnce, isConflict, deadline)
        if (answer.is === 'answered' || !replayed || deadline.aborted) return toAnnounced(answer)
      }
      return unavailable('Stripe repeats its fault of before.')
    },
    pull,
    async stop(reference, currency) {
      const answer = await call('POST', `${sessionPath(reference)}/expire`, new URLSearchParams())
      // 400: it is no longer open. How it stands now is the answer.
      if (answer.is === 'answered' && answer.status === 400) return pull(reference, currency)
      const seen = toPulled(answer, currency)
      return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
    },
    readNotification: (notification) => readNotification(notification, connection.credentials.webhookSecret),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/v1/checkout/sessions?limit=1')),
  }
}

export const stripe = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  modeOf: ({ secretKey }) => (/^.k_live_/.test(secretKey) ? 'live' : 'test'),
  open,
})

const caller =
  ({ fetch, credentials: { secretKey }, endpoint = ENDPOINT }: Connection<Credentials>) =>
  (
    method: string,
    path: string,
    body?: URLSearchParams,
    idempotencyKey?: string,
    deadline?: AbortSignal,
  ): Promise<Called> =>
    callPsp(
      fetch,
      endpoint + path,
      {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          'stripe-version': VERSION,
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: body.toString() }),
      },
      secretKey,
      deadline,
    )

/** Stripe refuses longer names of products since 2018-10-31: https://docs.stripe.com/changelog#2018-10-31 */
const NAME_LENGTH = 250

/** It names no end: Stripe's own is the hub's, 24 hours, and one counted from now would differ in a repetition. */
const announcement = (payment: PaymentRequest, amount: number): URLSearchParams => {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, LOCALES)
  return new URLSearchParams({
    mode: 'payment',
    client_reference_id: payment.job,
    'line_items[0][price_data][currency]': payment.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': String(amount),
    'line_items[0][price_data][product_data][name]': Array.from(payment.description)
      .slice(0, NAME_LENGTH)
      .join(''),
    'line_items[0][quantity]': '1',
    success_url: payment.returnUrl,
    cancel_url: payment.cancelUrl,
    ...(method ? { 'allowed_payment_method_types[0]': method } : {}),
    ...(locale ? { locale } : {}),
    'metadata[payment_job]': payment.job,
    'payment_intent_data[metadata][payment_job]': payment.job,
  })
}

/**
 * Stripe repeats even a 500 for a day under the key that met it: then the next key is tried, which is the same for each
 * repetition. https://docs.stripe.com/api/idempotent_requests
 */
const keysOf = (job: string): string[] => [job, ...[2, 3, 4].map((next) => `${job}-${next}`)]

const tooFine = ({ amount, currency }: PaymentRequest): Refused => {
  const step = fromPspUnits(UNITS[currency]?.step ?? 1, currency, UNITS) ?? 1
  return {
    is: 'refused',
    message: `Stripe cannot take ${formatAmount(amount, currency)} ${currency}: it takes multiples of ${formatAmount(step, currency)}.`,
  }
}

const toAnnounced = (answer: Called): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) return toRefused(answer.body)
  const session = v.safeParse(Session, answer.body)
  if (!session.success || !session.output.url || !URL.canParse(session.output.url)) {
    return unavailable('Stripe answered without a session to check out.')
  }
  const { id, url, expires_at } = session.output
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: expires_at * 1000 }
}

const toPulled = (answer: Called, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404) return { is: 'unknown' }
  const session = v.safeParse(Session, answer.body)
  if (!session.success || session.output.currency !== currency.toLowerCase()) {
    return unavailable(`Stripe answered ${answer.status} without the payment.`)
  }
  const { amount_total, expires_at } = session.output
  const total = fromPspUnits(amount_total, currency, UNITS)
  if (total === null) return unavailable('Stripe answered with an amount that cannot be read.')
  const status = statusOf(session.output)
  return { is: 'observed', status, paid: status === 'SUCCESS' ? total : 0, expiresAt: expires_at * 1000 }
}

/** Two words say it: how the session stands, and whether its money is there. */
const statusOf = (session: Session): Status => {
  switch (session.status) {
    case 'open':
      return 'PENDING'
    case 'expired':
      return 'EXPIRED'
    case 'complete':
      return COMPLETE[session.payment_status](session)
  }
}

/**
 * https://docs.stripe.com/checkout/fulfillment: unpaid is a method that takes days. Only the payment intent shows that
 * its money will not come. The hub always asks for money: a session that needed none will bring none.
 */
const COMPLETE: Record<Session['payment_status'], (session: Session) => Status> = {
  paid: () => 'SUCCESS',
  unpaid: ({ payment_intent: intent }) =>
    typeof intent === 'object' && intent !== null ? UNPAID[intent.status] : 'PENDING',
  no_payment_required: () => 'FAILURE',
}

/** https://docs.stripe.com/payments/paymentintents/lifecycle: a failed one waits for another payment method. */
const UNPAID: Record<v.InferOutput<typeof IntentStatus>, Status> = {
  requires_payment_method: 'FAILURE',
  requires_confirmation: 'PENDING',
  requires_action: 'PENDING',
  requires_capture: 'PENDING',
  processing: 'PENDING',
  succeeded: 'PENDING',
  canceled: 'FAILURE',
}

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}

const toRefused = (body: unknown): Refused | Unavailable => {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return { is: 'refused', message: 'Stripe refused the payment.' }
  const { message, code, param } = problem.output.error
  // Some of Stripe's limits answer 400: its official clients take that as a 429.
  if (code === 'rate_limit') return unavailable('Stripe is asked too often.')
  const reason = message ?? code
  return {
    is: 'refused',
    message: `Stripe refused the payment${reason ? `: ${reason}` : '.'}${param ? ` (${param})` : ''}`,
  }
}
