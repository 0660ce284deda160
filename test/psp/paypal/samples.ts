import { paypal } from '../../../src/psp/paypal/adapter.ts'
import { AUTHORIZATION_STATUSES, STATUSES } from '../../../src/psp/paypal/tables.ts'
import type { Adapter, PaymentRequest } from '../../../src/psp/port.ts'
import { paypalFake } from '../../support/psps/paypal.ts'
import {
  type NewOrder,
  type PaypalOrder,
  itemJson,
  notFound,
  orderJson,
  paypalProblem,
  unprocessable,
} from '../../support/psps/paypal-order.ts'
import { PEM, signedByPaypal } from '../../support/psps/paypal-signing.ts'
import { type Answer, type Answers, announcedBody, json, openScripted, paymentRequest } from '../scripted.ts'
import type { Samples } from '../samples.ts'

const [CREDENTIALS] = paypalFake('sampled').accounts
export { CREDENTIALS }

export const ID = '5O190127TN364715T'
export const CAPTURE = '3C679366HH908993F'

const REQUEST: NewOrder = {
  intent: 'CAPTURE',
  purchase_units: [
    { custom_id: paymentRequest.job, description: 'A-7', amount: { currency_code: 'EUR', value: '12.50' } },
  ],
  payment_source: { paypal: {} },
}

/** The order of the sample job as PayPal shows it, with changes of what the double remembers. */
export function order(changes: Partial<PaypalOrder> = {}): Record<string, unknown> {
  return {
    ...orderJson(
      {
        id: ID,
        status: 'PAYER_ACTION_REQUIRED',
        request: REQUEST,
        account: '',
        key: null,
        at: Date.UTC(2026, 10, 21, 10),
        refusal: null,
        isGone: false,
        authorizations: [],
        captures: [],
        refunds: [],
        ...changes,
      },
      true,
    ),
  }
}

/** An item of an order with an amount of EUR, with changes. */
export function item(status: string, value = '12.50', changes: object = {}) {
  const amount = { currency_code: 'EUR', value }
  return { id: CAPTURE, status, amount, at: Date.UTC(2026, 10, 21, 10), ...changes }
}

/** PayPal's answer to the request for a token. The scripted answers are those to the other requests. */
export const TOKEN = { access_token: 'A21AAFsample', token_type: 'Bearer', expires_in: 32_400 }

const withToken: Adapter = {
  ...paypal,
  open: (connection) =>
    paypal.open({
      ...connection,
      fetch: async (request) =>
        request.url.endsWith('/v1/oauth2/token') ? Response.json(TOKEN) : connection.fetch(request),
    }),
}

export function atPaypal(...answers: Answers) {
  return openScripted(withToken, { mode: 'live', credentials: CREDENTIALS }, answers)
}

export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atPaypal(json(201, order())), changes)) as Record<string, unknown>
}

const refusedFor =
  (issue: string): Answer =>
  async () =>
    unprocessable(issue)
const problem =
  (...given: Parameters<typeof paypalProblem>): Answer =>
  async () =>
    paypalProblem(...given)

const paidWith = (value: unknown, currency_code: unknown = 'EUR') =>
  json(200, {
    ...order({ status: 'COMPLETED' }),
    purchase_units: [
      {
        amount: { currency_code: 'EUR', value: '12.50' },
        payments: {
          captures: [{ ...itemJson('capture', item('COMPLETED')), amount: { currency_code, value } }],
        },
      },
    ],
  })

export const samples: Samples = {
  adapter: paypal,
  announced,
  credentials: CREDENTIALS,
  at: atPaypal,
  keyHeader: 'paypal-request-id',
  reference: ID,
  created: json(201, order()),
  checkoutUrl: `https://www.paypal.com/checkoutnow?token=${ID}`,
  expiresAt: null,
  asks: [
    'POST https://api-m.paypal.com/v2/checkout/orders',
    `GET https://api-m.paypal.com/v2/checkout/orders/${ID}`,
    `GET https://api-m.paypal.com/v1/notifications/webhooks/${CREDENTIALS.webhookId}`,
  ],
  account: { authorization: `Bearer ${TOKEN.access_token}`, prefer: 'return=representation' },
  working: json(200, { id: CREDENTIALS.webhookId }),
  unknown: [async () => notFound()],
  beforeRefund: [json(200, order({ status: 'COMPLETED', captures: [item('COMPLETED')] }))],
  refund: json(201, itemJson('refund', item('PENDING', '5.00', { reason: 'ECHECK' }))),
  others: [
    [
      json(
        201,
        order({
          request: { ...REQUEST, purchase_units: [{ amount: { currency_code: 'EUR', value: '50.00' } }] },
        }),
      ),
    ],
    [
      json(
        201,
        order({
          request: { ...REQUEST, purchase_units: [{ amount: { currency_code: 'USD', value: '12.50' } }] },
        }),
      ),
    ],
  ],
  keys: [
    problem(401, 'AUTHENTICATION_FAILURE', 'Authentication failed'),
    problem(403, 'NOT_AUTHORIZED', 'Authorization failed', 'PERMISSION_DENIED'),
  ],
  refusals: {
    refused_amount: refusedFor('MAX_VALUE_EXCEEDED'),
    refused_method: refusedFor('PAYMENT_SOURCE_CANNOT_BE_USED'),
    refused_account: refusedFor('PAYEE_ACCOUNT_RESTRICTED'),
    refused_other: refusedFor('INVALID_PARAMETER_VALUE'),
  },
  paid: (changes) =>
    json(200, { ...order({ status: 'COMPLETED', captures: [item('COMPLETED')] }), ...changes }),
  cosmetic: [{ links: null }, { links: undefined }, { links: [{ rel: 7 }] }, { intent: 'SOMETHING' }],
  busy: {
    409: problem(
      409,
      'RESOURCE_CONFLICT',
      'A previous request is in progress',
      'PREVIOUS_REQUEST_IN_PROGRESS',
    ),
  },
  refused: [
    [refusedFor('CANNOT_BE_ZERO_OR_NEGATIVE'), 'CANNOT_BE_ZERO_OR_NEGATIVE: cannot be zero or negative.'],
    [
      problem(415, 'UNSUPPORTED_MEDIA_TYPE', 'The type is wrong.'),
      'UNSUPPORTED_MEDIA_TYPE: The type is wrong.',
    ],
    [json(400, { oops: true }), ''],
    [json(400, ['oops']), ''],
  ],
  nonsense: [
    { status: 'TELEPORTED' },
    { id: '../x' },
    { purchase_units: [] },
    { status: 'COMPLETED' },
    { purchase_units: [{ amount: { currency_code: 'EUR', value: '12.50' }, payments: { captures: [{}] } }] },
  ].map((one) => json(200, { ...order(), ...one })),
  unpayable: [{ links: [] }, { links: [{ rel: 'payer-action', href: '/checkout' }] }].map((one) =>
    json(201, { ...order(), ...one }),
  ),
  unbelievable: [
    paidWith('12.50', 'USD'),
    paidWith('12.50', 'eur'),
    paidWith('12.505'),
    paidWith('-12.50'),
    paidWith('12,50'),
    paidWith(''),
    paidWith(12.5),
  ],
  amounts: {
    values: [
      ['EUR', 1250, '12.50'],
      ['EUR', 5, '0.05'],
      ['JPY', 1000, '1000'],
      ['HUF', 199_900, '1999'],
      ['TWD', 80_000, '800'],
      ['USD', 100_000_000_001, '1000000000.01'],
    ].map(([currency, amount, value]) => [String(currency), Number(amount), String(value)]),
    step: (currency) => (currency === 'HUF' || currency === 'TWD' ? 100 : 1),
    sent: ({ purchase_units }) => {
      const [{ amount }] = (purchase_units as NewOrder['purchase_units']) ?? []
      return { currency: amount.currency_code, value: amount.value }
    },
    isChoosy: true,
  },
  locales: {
    as: 'payment_source.paypal.experience_context.locale',
    shown:
      'nl:nl-NL nl-BE:nl-NL en:en-US en-GB:en-GB en-AU:en-AU en-IN:en-IN en-IE:en-GB de:de-DE de-AT:de-DE fr:fr-FR ' +
      'fr-BE:fr-FR fr-CA:fr-CA es:es-ES es-MX:es-ES it:it-IT pt:pt-PT pt-BR:pt-BR da:da-DK sv:sv-SE nb:no-NO no:no-NO ' +
      'fi:fi-FI pl:pl-PL cs:cs-CZ sk:sk-SK hu:hu-HU el:el-GR tr:tr-TR ru:ru-RU he:he-IL ja:ja-JP ko:ko-KR th:th-TH ' +
      'id:id-ID zh:zh-CN zh-TW:zh-TW zh-HK:zh-HK ar:ar-EG',
    none: 'fil bg hr english _',
  },
  notifications: {
    examples: [
      { event_type: 'CHECKOUT.ORDER.APPROVED', resource: order({ status: 'APPROVED' }) },
      {
        event_type: 'PAYMENT.CAPTURE.COMPLETED',
        resource: itemJson('capture', item('COMPLETED', '12.50', { customId: paymentRequest.job })),
      },
      { event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: itemJson('refund', item('COMPLETED', '5.00')) },
    ],
    sent: (body, at) =>
      signedByPaypal(
        typeof body === 'string' ? body : (JSON.stringify(body) ?? ''),
        CREDENTIALS.webhookId,
        at,
      ),
    answer: PEM,
    isAlwaysRead: true,
  },
  words: { '## Statuses': STATUSES, '## Authorisations': AUTHORIZATION_STATUSES },
}
