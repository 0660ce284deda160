import { toHex } from '../../../src/platform/crypto/hash.ts'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { type Session, chargeJson, intentJson, sessionJson } from '../../support/psps/stripe-objects.ts'
import {
  type Answer,
  type Answers,
  END,
  announcedBody,
  json,
  openScripted,
  paymentRequest,
} from '../scripted.ts'
import type { Samples } from '../samples.ts'

/** Joined here, so that no text in this project looks like a key of Stripe. */
export const SECRET_KEY = ['sk', 'test', '51HubDouble0000000000000'].join('_')
export const WEBHOOK_SECRET = ['whsec', 'hubDouble000000000000000'].join('_')

const CREDENTIALS = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET }

const HELD: Session = {
  id: 'cs_test_a1YS1URlnyQCN5fUUduO',
  intent: 'pi_3Mtw',
  form: new Map([
    ['mode', 'payment'],
    ['client_reference_id', paymentRequest.job],
    ['line_items[0][price_data][currency]', 'eur'],
    ['line_items[0][price_data][unit_amount]', '1250'],
    ['line_items[0][quantity]', '1'],
    ['expires_at', '1795256100'],
  ]),
  created: 1_795_252_500,
  status: 'open',
  money: 'none',
  refunds: [],
  disputes: [],
}

/** The session as Stripe shows it, with changes. */
export function session(changes: object = {}): Record<string, unknown> {
  return {
    ...sessionJson(HELD),
    ...changes,
  }
}

/** The payment intent, expanded, with its charge if there is one. */
export function intent(status: string, latest_charge: object | string | null = null) {
  return {
    ...intentJson(HELD),
    status,
    latest_charge,
  }
}

/** The charge that took the money, with its refunds, and with changes. */
export function charge(changes: object = {}) {
  return { ...chargeJson({ ...HELD, money: 'paid' }, true), ...changes }
}

/** An error as Stripe sends it: https://docs.stripe.com/api/errors */
export function stripeError(status: number, message: string, more: object = {}): Answer {
  return json(status, { error: { type: 'invalid_request_error', message, ...more } })
}

export function atStripe(...answers: Answers) {
  return openScripted(stripe, { mode: 'test', credentials: CREDENTIALS }, answers)
}

/** What the adapter sends for a payment request, as Stripe would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, string>> {
  const body = await announcedBody(atStripe(json(200, session())), changes)
  return Object.fromEntries(new URLSearchParams(body))
}

const sessionAt = (url: unknown) => json(200, session({ url }))
const unpaid = (payment_intent: unknown) =>
  json(200, session({ status: 'complete', payment_status: 'unpaid', payment_intent }))

/** The multiples of minor units (ISO 4217) that Stripe takes, where that is not 1. */
const STEPS: Readonly<Record<string, number>> = {
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((currency) => [currency, 10])),
  ...{ CLF: 100, UYW: 100, MGA: 100 },
}

export const samples: Samples = {
  adapter: stripe,
  announced,
  at: atStripe,
  keyHeader: 'idempotency-key',
  reference: 'cs_test_a1YS1URlnyQCN5fUUduO',
  created: json(200, session()),
  checkoutUrl: 'https://checkout.stripe.com/c/pay/cs_test_a1YS1URlnyQCN5fUUduO#fid',
  expiresAt: END,
  asks: [
    'POST https://api.stripe.com/v1/checkout/sessions',
    'GET https://api.stripe.com/v1/checkout/sessions/cs_test_a1YS1URlnyQCN5fUUduO?expand[]=payment_intent.latest_charge.refunds',
    'GET https://api.stripe.com/v1/checkout/sessions?limit=1',
  ],
  account: { authorization: `Bearer ${SECRET_KEY}`, 'stripe-version': '2026-10-28.endive' },
  working: json(200, { object: 'list', data: [], has_more: false }),
  unknown: [stripeError(404, 'No such checkout.session')],
  beforeRefund: [
    json(200, session({ status: 'complete', payment_status: 'paid', payment_intent: 'pi_3Mtw' })),
  ],
  refund: json(200, { id: 're_1', status: 'pending' }),
  others: [[json(200, session({ amount_total: 5000 }))], [json(200, session({ currency: 'usd' }))]],
  keys: [
    stripeError(401, 'Invalid API Key provided'),
    stripeError(403, 'The provided key does not have the required permissions'),
  ],
  refusals: {
    refused_amount: stripeError(400, 'Too small', { param: 'line_items[0][price_data][unit_amount]' }),
    refused_method: stripeError(400, 'Not activated', { param: 'allowed_payment_method_types[0]' }),
    refused_account: stripeError(400, 'Cannot currently make live charges', {
      code: 'testmode_charges_only',
    }),
    refused_other: stripeError(400, 'Not a valid URL', { code: 'url_invalid', param: 'success_url' }),
  },
  paid: (changes) => json(200, session({ status: 'complete', payment_status: 'paid', ...changes })),
  cosmetic: [
    ...['2026-11-21T10:15Z', 1.5, null, undefined].map((expires_at) => ({ expires_at })),
    { url: '/c/pay' },
    { url: 7 },
    { payment_intent: { status: 'weird' } },
    { payment_intent: {} },
    { payment_intent: 7 },
  ],
  busy: {
    409: stripeError(409, 'There is currently another in-progress request using this Idempotent Key', {
      code: 'idempotency_key_in_use',
    }),
  },
  refused: [
    [
      stripeError(400, 'Invalid currency: xyz', { param: 'line_items[0][currency]' }),
      'Invalid currency: xyz (line_items[0][currency])',
    ],
    [stripeError(400, 'No valid payment method types.'), 'No valid payment method types.'],
    [stripeError(402, 'The account cannot take payments'), 'The account cannot take payments'],
    [stripeError(404, 'Unrecognized request URL', { param: null }), 'Unrecognized request URL'],
    [json(400, { oops: true }), ''],
    [json(400, null), ''],
    [json(400, { error: {} }), ''],
    [json(400, { error: { code: 'url_invalid' } }), 'url_invalid'],
    [stripeError(400, 'Keys for …', { type: 'idempotency_error' }), 'Keys for …'],
  ],
  quoted: [stripeError(401, `Invalid API Key provided: ${SECRET_KEY}`), 'Invalid API Key provided: …'],
  nonsense: [
    { status: 'weird' },
    { status: null },
    { payment_status: 'half' },
    { id: 'pi_3Mtw' },
    { amount_total: null },
  ].map((one) => json(200, session(one))),
  unpayable: [
    ...[undefined, null, '', '/c/pay'].map(sessionAt),
    // Some of Stripe's limits.
    stripeError(400, 'Too many requests', { code: 'rate_limit' }),
  ],
  unbelievable: [
    ...['usd', 'EUR', '', null].map((currency) =>
      json(200, session({ status: 'complete', payment_status: 'paid', currency })),
    ),
    // The payment intent of an unpaid session decides, and has an unknown form.
    ...[{ status: 'weird' }, {}, 7].map(unpaid),
  ],
  amounts: {
    values: [
      ['EUR', 1250, '1250'],
      ['EUR', 5, '5'],
      ['EUR', 100_000_000_001, '100000000001'],
      ['HUF', 199_955, '199955'],
      ['JPY', 1000, '1000'],
      ['BHD', 1230, '1230'],
      ['CLP', 1000, '1000'],
      ['ISK', 5, '500'],
      ['KWD', 5120, '5120'],
      ['TWD', 80045, '80045'],
      ['UGX', 5, '500'],
      ['MGA', 500, '5'],
      ['IDR', 1_500_000, '1500000'],
      ['CVE', 100, '100'],
    ],
    step: (currency) => STEPS[currency] ?? 1,
    sent: (body) => ({
      currency: String(body['line_items[0][price_data][currency]']).toUpperCase(),
      value: body['line_items[0][price_data][unit_amount]'],
    }),
    most: 999_999,
    // Stripe has limits of its own for some currencies.
    isChoosy: true,
  },
  locales: {
    as: 'locale',
    shown:
      'nl:nl nl_BE:nl en:en en-GB:en-GB en_gb:en-GB EN-us:en de-AT:de fr:fr fr-BE:fr fr-CA:fr-CA ' +
      'es:es es-419:es-419 es-MX:es-419 es-GQ:es pt:pt pt-BR:pt-BR pt-AO:pt no:nb nn-NO:nb hi:hi-IN ' +
      'en-AU:en-GB en-PH:en fil:fil tl:fil zh:zh zh-CN:zh zh-SG:zh zh-Hans:zh zh_Hans_HK:zh zh-TW:zh-TW ' +
      'zh-Hant:zh-TW zh-Hant-HK:zh-HK zh-MO:zh-HK zh-yue-HK:zh-HK',
    none: 'ar-MA ca is uk hi-Latn ru-Latn zh-Latn auto english _',
  },
  credentials: CREDENTIALS,
  notifications: {
    examples: ['checkout.session.completed', 'charge.refunded', 'charge.dispute.created'].map((type) => ({
      type,
      data: {
        object: {
          id: 'cs_1',
          client_reference_id: paymentRequest.job,
          metadata: { payment_job: paymentRequest.job },
          payment_intent: 'pi_1',
        },
      },
    })),
    async sent(event, at) {
      const body = JSON.stringify(event)
      const mac = toHex(await hmac('SHA-256', WEBHOOK_SECRET, `${at / 1000}.${body}`))
      return { body, headers: { 'stripe-signature': `t=${at / 1000},v1=${mac}` } }
    },
    answer: { data: [{ id: 'cs_1', client_reference_id: paymentRequest.job }] },
    isAlwaysRead: true,
  },
}
