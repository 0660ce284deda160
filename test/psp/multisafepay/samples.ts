import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import { toBase64, toHex, utf8 } from '../../../src/platform/crypto/hash.ts'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import { STATUSES, WHEN_COMPLETED } from '../../../src/psp/multisafepay/tables.ts'
import { STATUSES_AT_TERMINALS } from '../../../src/psp/multisafepay/terminal.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import * as double from '../../support/psps/multisafepay-order.ts'
import { type Answer, type Answers, announcedBody, json, openScripted, paymentRequest } from '../scripted.ts'
import { decimalsOf } from '../../../src/contract/money.ts'
import type { Samples } from '../samples.ts'

export const API_KEY = '8hdnCxGl2RYzqK5sVmWb0tJ3PfEoUa7iLcTgNrXy'

const HELD = double.newOrder(API_KEY, {
  type: 'redirect',
  order_id: paymentRequest.job,
  gateway: 'IDEAL',
  currency: 'EUR',
  amount: 1250,
  description: paymentRequest.description,
  payment_options: {
    notification_url: paymentRequest.notificationUrl,
    notification_method: 'POST',
    redirect_url: paymentRequest.returnUrl,
    cancel_url: paymentRequest.cancelUrl,
  },
  customer: { locale: 'nl_NL' },
  var1: paymentRequest.fingerprint,
})

/** The order as MultiSafepay shows it, with changes. */
export function order(changes: object = {}): Record<string, unknown> {
  return {
    ...double.orderJson(HELD),
    ...changes,
  }
}

export function shown(changes: object = {}): Answer {
  return async () => double.succeeded(order(changes))
}

export const PAGE = double.pageOf(HELD)

export function created(changes: object = {}): Answer {
  return async () => double.succeeded({ ...double.createdJson(HELD), ...changes })
}

export function failure(...error: Parameters<typeof double.failed>): Answer {
  return async () => double.failed(...error)
}

/** How MultiSafepay answers about an order that it does not know. */
export const UNKNOWN = failure(404, 1006, 'Invalid transaction ID')

export function atMultiSafepay(...answers: Answers) {
  return openScripted(multisafepay, { mode: 'live', credentials: { apiKey: API_KEY } }, answers)
}

export const CREATE = 'POST /v1/json/orders'
export const GET = `GET /v1/json/orders/${paymentRequest.job}`
export const PATCH = `PATCH /v1/json/orders/${paymentRequest.job}`

/** What the adapter sends for a payment request, as MultiSafepay would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atMultiSafepay(created()), changes)) as Record<string, unknown>
}

const orderPaid = (changes: object) =>
  shown({ status: 'completed', financial_status: 'completed', ...changes })

export const samples: Samples = {
  adapter: multisafepay,
  announced,
  at: atMultiSafepay,
  reference: paymentRequest.job,
  created: created(),
  checkoutUrl: PAGE,
  expiresAt: null,
  asks: [
    'POST https://api.multisafepay.com/v1/json/orders',
    `GET https://api.multisafepay.com/v1/json/orders/${paymentRequest.job}`,
    'GET https://api.multisafepay.com/v1/json/gateways',
  ],
  account: { api_key: API_KEY },
  working: json(200, { success: true, data: [] }),
  unknown: [
    ...[404, 200].map((status) => failure(status, 1006, 'Invalid transaction ID')),
    failure(404, 1000, 'Not found'),
  ],
  beforeRefund: [],
  refund: json(200, { success: true, data: { transaction_id: 6_303_074 } }),
  others: [
    [failure(400, 1006, 'Invalid transaction ID'), shown({ payment_url: PAGE, amount: 5000 })],
    [failure(400, 1006, 'Invalid transaction ID'), shown({ payment_url: PAGE, currency: 'USD' })],
  ],
  keys: [
    failure(401, 1032, 'Invalid API key'),
    failure(200, 1032, 'Invalid API key'),
    json(403, { message: 'Forbidden' }),
  ],
  refusals: {
    refused_amount: failure(400, 1001, 'Invalid amount'),
    refused_method: failure(409, 1023, 'No gateway (payment method) available'),
    refused_account: failure(410, 1019, 'The site is blocked in your account.'),
    refused_other: failure(400, 1008, 'Invalid description'),
  },
  paid: (changes) => shown({ status: 'completed', financial_status: 'completed', ...changes }),
  cosmetic: [
    { payment_url: '/connect' },
    { payment_url: 7 },
    { payment_methods: {} },
    { payment_methods: 'IDEAL' },
    { var1: 7 },
    { status: 'refunded', financial_status: 'half_refunded' },
  ],
  busy: {},
  refused: [
    [failure(400, 1001, 'Invalid amount'), 'Invalid amount (1001)'],
    [failure(200, 1002, 'Invalid currency'), 'Invalid currency (1002)'],
    [failure(404, 1000, 'Not found'), 'Not found (1000)'],
    [failure(410, 1019, 'The site is blocked.'), 'The site is blocked. (1019)'],
    [failure(409, 1023, 'No gateway available'), 'No gateway available (1023)'],
    [json(400, { message: 'Forbidden' }), 'Forbidden'],
    [json(422, { success: false, message: 'Validation error', errors: [] }), 'Validation error'],
    [json(400, { oops: true }), ''],
    [json(200, { success: false }), ''],
    [json(400, []), ''],
  ],
  quoted: [failure(401, 1032, `Invalid API key ${API_KEY}`), 'Invalid API key … (1032)'],
  nonsense: [{ success: true }, { data: { order_id: paymentRequest.job } }].map((body) => json(200, body)),
  unpayable: [{ payment_url: null }, { payment_url: '/connect/1' }, { order_id: 'A-7' }].map((changes) =>
    created(changes),
  ),
  unbelievable: [
    { status: 'weird' },
    { financial_status: 'weird' },
    { status: null },
    { currency: 'USD' },
    { currency: 'eur' },
    { order_id: 'A-7' },
    { amount: '1250' },
    { amount: 12.5 },
    { amount: -1250 },
    { amount: null },
  ].map(orderPaid),
  amounts: {
    values: [
      ['EUR', 1250, 1250],
      ['EUR', 5, 5],
      ['EUR', 100_000_000_001, 100_000_000_001],
      ['HUF', 199_955, 199_955],
      ['JPY', 1000, 1000],
      ['TWD', 80045, 80045],
      ['MGA', 500, 500],
      ['IDR', 1_500_000, 1_500_000],
      ['CVE', 100, 100],
    ],
    // Two decimals mean cents, and MultiSafepay's documentation names JPY as the only currency without them.
    step: (currency) => (currency === 'JPY' || decimalsOf(currency) === 2 ? 1 : Infinity),
    sent: ({ currency, amount: value }) => ({ currency, value }),
  },
  locales: {
    as: 'customer.locale',
    shown:
      'nl:nl_NL nl_BE:nl_BE nl-be:nl_BE nl-SR:nl_NL en:en_US en-GB:en_US de:de_DE de_AT:de_AT ' +
      'de-CH:de_DE fr:fr_FR fr-BE:fr_BE fr-CA:fr_FR cs:cs_CZ es-MX:es_ES fi:fi_FI it-CH:it_IT ' +
      'pl:pl_PL sv:sv_SE zh:zh_CN zh-SG:zh_CN zh-Hans-TW:zh_CN',
    none: 'da pt-BR tr ar-MA zh-TW zh-HK zh-MO zh-Hant zh_Hant_HK yue english _',
  },
  credentials: { apiKey: API_KEY },
  notifications: {
    examples: [{ order_id: paymentRequest.job, status: 'completed', amount: 1250 }],
    async sent(changed, at) {
      const body = JSON.stringify(changed)
      const mac = toHex(await hmac('SHA-512', API_KEY, `${at / 1000}:${body}`))
      return { body, headers: { auth: toBase64(utf8(`${at / 1000}:${mac}`)) } }
    },
    isAlwaysRead: true,
  },
  words: {
    '## Card terminals': STATUSES_AT_TERMINALS,
    '## Statuses': STATUSES,
    '## Statuses of transactions': WHEN_COMPLETED,
  },
  payoutFile:
    'Payout ID,88001\nPayout currency,EUR\n' +
    'Completed date/time,PSP ID,Amount cents,Creditdebit,Payment type,Sub description,Order ID\n' +
    '2026-10-01 10:00:00,301,1250,C,iDEAL,,A-1\n',
}
