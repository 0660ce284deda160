import * as v from 'valibot'
import { decimalsOf } from '../../domain/currency.ts'
import type { Status } from '../../domain/job.ts'
import { parseAmount, toDecimal } from '../../domain/money.ts'
import type { Announced, PullAnswer, Refused } from '../../domain/psp-answer.ts'
import { type Called, callPsp, callUntilFree, isConflict, unavailable } from '../http-client.ts'
import { closestLocale } from '../locale.ts'
import { type PaymentRequest, type Checked, type Connection, type Psp, defineAdapter } from '../port.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^(test|live)_\w{10,}$/, 'must be a Mollie API key: test_… or live_…'),
    v.description('API key (live_… or test_…), from Developers → API keys'),
  ),
})
type Credentials = v.InferOutput<typeof Credentials>

const MollieStatus = v.picklist(['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed'])
type MollieStatus = v.InferOutput<typeof MollieStatus>

const Payment = v.object({
  id: v.pipe(v.string(), v.startsWith('tr_')),
  status: MollieStatus,
  amount: v.object({ currency: v.string(), value: v.string() }),
  expiresAt: v.optional(v.nullable(v.pipe(v.string(), v.isoTimestamp()))),
  _links: v.object({ checkout: v.optional(v.nullable(v.object({ href: v.pipe(v.string(), v.url()) }))) }),
})
type Payment = v.InferOutput<typeof Payment>

/** Mollie's payment methods, and other names for them: https://docs.mollie.com/reference/list-methods */
const METHODS: ReadonlyMap<string, string> = new Map([
  ...(
    'alma applepay bacs bancomatpay bancontact banktransfer belfius billie bizum blik creditcard directdebit ' +
    'eps giftcard googlepay ideal in3 kbc klarna mbway mobilepay multibanco mybank paybybank paypal ' +
    'paysafecard przelewy24 riverty satispay swish trustly twint vipps voucher'
  )
    .split(' ')
    .map((name) => [name, name] as const),
  ['card', 'creditcard'],
  ['mistercash', 'bancontact'],
  ['p24', 'przelewy24'],
])

const Problem = v.object({ title: v.string(), detail: v.string(), field: v.optional(v.nullable(v.string())) })

const open = (connection: Connection<Credentials>): Psp => {
  const call = caller(connection)
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', `/payments/${encodeURIComponent(reference)}`), currency)

  return {
    async announce(payment, deadline) {
      const post = () => call('POST', '/payments', announcement(payment), payment.job, deadline)
      return toAnnounced(await callUntilFree(post, isConflict, deadline))
    },
    pull,
    async stop(reference, currency) {
      const answer = await call('DELETE', `/payments/${encodeURIComponent(reference)}`)
      // 422: it can no longer be stopped. How it stands now is the answer.
      return answer.is === 'answered' && answer.status === 422
        ? pull(reference, currency)
        : toPulled(answer, currency)
    },
    /** Unsigned, a form with only the payment's id; the job is in the address that was given with the payment. */
    async readNotification({ job, body }) {
      const reference = new URLSearchParams(body).get('id')
      return { is: 'about', payments: job && reference ? [{ job, reference, claimedStatus: null }] : [] }
    },
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  modeOf: ({ apiKey }) => (apiKey.startsWith('live_') ? 'live' : 'test'),
  open,
})

const caller =
  ({ fetch, credentials: { apiKey }, endpoint = ENDPOINT }: Connection<Credentials>) =>
  (
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
    deadline?: AbortSignal,
  ): Promise<Called> =>
    callPsp(
      fetch,
      endpoint + path,
      {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      apiKey,
      deadline,
    )

/** Mollie refuses longer descriptions. */
const DESCRIPTION_LENGTH = 255

const announcement = (payment: PaymentRequest) => {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = closestLocale(payment.language, LOCALES)
  return {
    amount: {
      currency: payment.currency,
      value: toDecimal(payment.amount, mollieDecimals(payment.currency)),
    },
    description: payment.description.slice(0, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}

const toAnnounced = (answer: Called): Announced | Refused | ReturnType<typeof unavailable> => {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) return { is: 'refused', message: refusal(answer.body) }
  const payment = v.safeParse(Payment, answer.body)
  const checkoutUrl = payment.success ? payment.output._links.checkout?.href : undefined
  if (!payment.success || !checkoutUrl) return unavailable('Mollie answered without a payment to check out.')
  return {
    is: 'announced',
    reference: payment.output.id,
    checkoutUrl,
    expiresAt: expiryOf(payment.output),
  }
}

const toPulled = (answer: Called, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  const payment = v.safeParse(Payment, answer.body)
  if (!payment.success || payment.output.amount.currency !== currency) {
    return unavailable(`Mollie answered ${answer.status} without the payment.`)
  }
  const status = STATUS[payment.output.status]
  const value = parseAmount(payment.output.amount.value, currency)
  if (!value.ok) return unavailable('Mollie answered with an amount that cannot be read.')
  return {
    is: 'observed',
    status,
    paid: status === 'SUCCESS' ? value.value : 0,
    expiresAt: expiryOf(payment.output),
  }
}

/** https://docs.mollie.com/docs/status-change: an authorized payment is not yet paid. */
const STATUS: Record<MollieStatus, Status> = {
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
  return answer.status === 200 ? { is: 'working' } : { is: 'refused', message: refusal(answer.body) }
}

const refusal = (body: unknown): string => {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return 'Mollie refused the payment.'
  const { title, detail, field } = problem.output
  return `Mollie refused the payment: ${title}: ${detail}${field ? ` (${field})` : ''}`
}

const expiryOf = ({ expiresAt }: Payment): number | null => (expiresAt ? Date.parse(expiresAt) : null)

/** Mollie's decimals: those of ISO 4217, but for what stands here: https://docs.mollie.com/docs/multicurrency */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 0, JPY: 0 }

const mollieDecimals = (currency: string): number => DECIMALS[currency] ?? decimalsOf(currency)

/** The locales Mollie has, the first of a language being its default. */
const LOCALES =
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT'.split(
    ' ',
  )
