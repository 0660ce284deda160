import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { STATUSES_AT_TERMINALS } from '../../../src/psp/mollie/terminal.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { mollieProblem, paymentJson } from '../../support/psps/mollie-payment.ts'
import {
  type Answer,
  type Answers,
  END,
  ENDS,
  announcedBody,
  eur,
  json,
  openScripted,
  paymentRequest,
} from '../scripted.ts'
import type { Samples } from '../samples.ts'

export const API_KEY = 'test_0123456789abcdef'

/** The payment as Mollie shows it, with changes. */
export function payment(changes: object = {}): Record<string, unknown> {
  return {
    ...paymentJson({
      id: 'tr_7UhSN1zuXS',
      status: 'open',
      checkoutUrl: 'https://www.mollie.com/checkout/7UhSN1zuXS',
      expiresAt: Date.UTC(2026, 10, 21, 10, 15),
      request: {
        amount: { currency: 'EUR', value: '12.50' },
        description: paymentRequest.description,
        redirectUrl: paymentRequest.returnUrl,
      },
      createdAt: Date.UTC(2026, 10, 21, 10),
      atTerminal: { isCardIn: false, why: null, details: {} },
    }),
    ...changes,
  }
}

export function mollieError(...problem: Parameters<typeof mollieProblem>): Answer {
  return async () => mollieProblem(...problem)
}

export function atMollie(...answers: Answers) {
  return openScripted(mollie, { mode: 'test', credentials: { apiKey: API_KEY } }, answers)
}

/** What the adapter sends for a payment request, as Mollie would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atMollie(json(201, payment())), changes)) as Record<string, unknown>
}

const molliePaid = (amount: object) => json(200, payment({ status: 'paid', amount }))

export const samples: Samples = {
  adapter: mollie,
  announced,
  at: atMollie,
  keyHeader: 'idempotency-key',
  reference: 'tr_7UhSN1zuXS',
  created: json(201, payment()),
  checkoutUrl: 'https://www.mollie.com/checkout/7UhSN1zuXS',
  expiresAt: END,
  asks: [
    'POST https://api.mollie.com/v2/payments',
    'GET https://api.mollie.com/v2/payments/tr_7UhSN1zuXS?embed=captures,refunds,chargebacks',
    'GET https://api.mollie.com/v2/methods',
  ],
  account: { authorization: `Bearer ${API_KEY}` },
  working: json(200, {}),
  unknown: [404, 410].map((status) => mollieError(status, 'Not Found', 'No payment exists')),
  beforeRefund: [],
  refund: json(201, { id: 're_4qqhO89gsT', status: 'pending' }),
  others: [
    [json(201, payment({ amount: { currency: 'EUR', value: '50.00' } }))],
    [json(201, payment({ amount: { currency: 'USD', value: '12.50' } }))],
  ],
  keys: [
    mollieError(401, 'Unauthorized Request', 'Missing authentication, or failed to authenticate'),
    mollieError(403, 'Forbidden', 'The profile is not allowed to do this'),
  ],
  refusals: {
    refused_amount: mollieError(422, 'Unprocessable Entity', 'The amount is too high', 'amount.value'),
    refused_method: mollieError(422, 'Unprocessable Entity', 'The method is not activated', 'method'),
    refused_account: mollieError(422, 'Unprocessable Entity', 'The profile is invalid', 'profileId'),
    refused_other: mollieError(422, 'Unprocessable Entity', 'The webhook URL is invalid', 'webhookUrl'),
  },
  paid: (changes) => json(200, payment({ status: 'paid', ...changes })),
  cosmetic: [
    ...ENDS.map((expiresAt) => ({ expiresAt })),
    { _links: null },
    { _links: undefined },
    { _links: { checkout: 'gone' } },
    { _links: { checkout: { href: '/checkout' } } },
  ],
  busy: { 409: mollieError(409, 'Conflict', 'A request with this idempotency key is in progress') },
  refused: [
    [mollieError(404, 'Not Found', 'No route found'), 'Not Found: No route found'],
    [mollieError(410, 'Gone', 'No longer offered'), 'Gone: No longer offered'],
    [mollieError(422, 'Wrong', 'The amount is too high', 'amount'), 'Wrong: The amount is too high (amount)'],
    [json(400, { oops: true }), ''],
  ],
  nonsense: [{ status: 'weird' }, { id: 'ord_7UhSN1zuXS' }].map((one) => json(200, payment(one))),
  unpayable: [{}, { checkout: null }, { checkout: { href: '/checkout' } }].map((_links) =>
    json(201, payment({ _links })),
  ),
  unbelievable: [
    eur('12.50', 'USD'),
    eur('12.50', 'eur'),
    eur('12.505'),
    eur('-12.50'),
    eur('12,50'),
    eur(''),
    eur(12.5),
  ].map(molliePaid),
  amounts: {
    values: [
      ['EUR', 1250, '12.50'],
      ['EUR', 5, '0.05'],
      ['EUR', 100_000_000_001, '1000000000.01'],
      ['HUF', 199_955, '1999.55'],
      ['JPY', 1000, '1000'],
      ['BHD', 1230, '1.230'],
      ['CLP', 1000, '1000'],
      ['ISK', 5, '5'],
      ['KWD', 5120, '5.120'],
      ['TWD', 80045, '800.45'],
      ['UGX', 5, '5'],
      ['MGA', 500, '5.00'],
      ['IDR', 1_500_000, '15000.00'],
      ['CVE', 100, '1.00'],
    ],
    step: () => 1,
    sent: ({ amount }) => amount,
    // Mollie has fewer currencies.
    isChoosy: true,
  },
  locales: {
    as: 'locale',
    shown:
      'nl:nl_NL nl-NL:nl_NL nl_BE:nl_BE nl-be:nl_BE nl-Latn-BE:nl_BE nl-SR:nl_NL en:en_US ' +
      'en-GB:en_GB EN_us:en_US en-BE:en_BE en-NL:en_NL en-AU:en_GB en-CA:en_US de:de_DE de_AT:de_AT ' +
      'de-CH:de_CH de-LU:de_LU de-LI:de_DE fr:fr_FR fr-BE:fr_BE fr-LU:fr_LU fr-CA:fr_FR ' +
      'es:es_ES es-MX:es_ES ca:ca_ES pt:pt_PT pt-BR:pt_PT it-CH:it_IT nb:nb_NO nb-NO:nb_NO ' +
      'sv:sv_SE fi:fi_FI da:da_DK is:is_IS hu:hu_HU pl:pl_PL cs:cs_CZ sk:sk_SK lv:lv_LV lt:lt_LT',
    none: 'zh zh-Hant-TW ja tr ar-MA fil english _',
  },
  credentials: { apiKey: API_KEY },
  notifications: {
    examples: ['id=tr_7UhSN1zuXS', 'id=tr_1&id=tr_2', '%69d=%zz'],
    sent: async (body) => ({ headers: {}, body: String(body) }),
    isUnsigned: true,
  },
  words: { '## Card terminals': STATUSES_AT_TERMINALS },
  payoutFile:
    'Date,ID,Description,Settlement currency,Settlement amount,Settlement reference\n' +
    '2026-10-01 10:12:00,tr_1,A-1,EUR,12.50,1234567.2610.01\n',
}
