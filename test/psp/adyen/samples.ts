import * as v from 'valibot'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { STATUSES } from '../../../src/psp/adyen/tables.ts'
import { CONDITIONS } from '../../../src/psp/adyen/terminal-answer.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { SHOP, showLink } from '../../support/psps/adyen.ts'
import { adyenError as errorAnswer } from '../../support/psps/adyen-requests.ts'
import {
  type AdyenLink,
  type AdyenWebhookItem,
  adyenItem,
  adyenWebhook,
} from '../../support/psps/adyen-webhook.ts'
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

const { apiKey, merchantAccount, hmacKey } = SHOP
export const CREDENTIALS = { apiKey, merchantAccount, hmacKey }

export const LINK = 'PL61C53A8B97E6915A'

const HELD: AdyenLink = {
  id: LINK,
  merchantAccount,
  status: 'active',
  request: { merchantAccount, reference: paymentRequest.job, amount: { currency: 'EUR', value: 1250 } },
  expiresAt: '2026-11-21T10:15:00Z',
  event: null,
}

/** The payment link as Adyen shows it, with changes. */
export function link(changes: object = {}): Record<string, unknown> {
  return { ...showLink(HELD), ...changes }
}

export function adyenError(...error: Parameters<typeof errorAnswer>): Answer {
  const { status, body } = errorAnswer(...error)
  return json(status, body)
}

export function atAdyen(...answers: Answers) {
  return openScripted(adyen, { mode: 'test', credentials: CREDENTIALS }, answers)
}

/** What the adapter sends for a payment request, as Adyen would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atAdyen(json(201, link())), changes)) as Record<string, unknown>
}

/** An item of a webhook about the payment, with changes. */
export function item(changes: Partial<AdyenWebhookItem> = {}): AdyenWebhookItem {
  return {
    ...adyenItem(HELD, 'authorized', Date.UTC(2026, 10, 21, 9)),
    ...changes,
  }
}

/** Reads a webhook's body as the adapter does, with the account's key or others. */
export function readBody(body: string, key = CREDENTIALS.hmacKey) {
  return adyen
    .open({ mode: 'test', credentials: { ...CREDENTIALS, hmacKey: key }, fetch: json(500, {}) })
    .readNotification({ job: null, headers: new Headers(), body, at: Date.now() })
}

/** Reads items that Adyen has signed. */
export async function read(...items: AdyenWebhookItem[]) {
  return readBody(await adyenWebhook(items, CREDENTIALS.hmacKey))
}

const linkAt = (url: unknown) => json(201, link({ url }))
const linkPaid = (amount: object) => json(200, link({ status: 'completed', amount }))
const IN_PROGRESS = 'request already processed or in progress'

/** Whether the members that Adyen signs have types that can be signed. */
function isSignable(changed: unknown): changed is AdyenWebhookItem {
  return v.is(v.looseObject({ amount: v.looseObject({}) }), changed)
}

export const samples: Samples = {
  adapter: adyen,
  announced,
  at: atAdyen,
  keyHeader: 'idempotency-key',
  reference: LINK,
  created: json(201, link()),
  checkoutUrl: `https://test.adyen.link/${LINK}`,
  expiresAt: END,
  asks: [
    'POST https://checkout-test.adyen.com/v71/paymentLinks',
    `GET https://checkout-test.adyen.com/v71/paymentLinks/${LINK}`,
    'POST https://checkout-test.adyen.com/v71/paymentMethods',
  ],
  account: { 'x-api-key': CREDENTIALS.apiKey },
  working: json(200, { paymentMethods: [] }),
  unknown: [404, 410].map((status) => adyenError(status, '000', 'Not found')),
  beforeRefund: [],
  refund: json(201, { pspReference: '993617894906488A', status: 'received' }),
  others: [
    [json(201, link({ amount: { currency: 'EUR', value: 5000 } }))],
    [json(201, link({ amount: { currency: 'USD', value: 1250 } }))],
  ],
  keys: [
    adyenError(401, '000', 'HTTP Status Response - Unauthorized'),
    adyenError(403, '901', 'Invalid Merchant Account'),
  ],
  refusals: {
    refused_amount: adyenError(422, '137', 'Invalid amount specified'),
    refused_method: adyenError(422, '905_1', 'Could not find an acquirer account for the provided txvariant'),
    refused_account: adyenError(422, '901', 'Invalid Merchant Account'),
    refused_other: adyenError(422, '14_030', 'Return URL is missing.'),
  },
  paid: (changes) => json(200, link({ status: 'completed', ...changes })),
  cosmetic: [...ENDS.map((expiresAt) => ({ expiresAt })), { url: null }, { url: undefined }, { url: '/pay' }],
  busy: { 409: adyenError(409, '704', IN_PROGRESS), 422: adyenError(422, '704', IN_PROGRESS) },
  refused: [
    [adyenError(400, '702', 'Unknown fields: [foo]'), 'Unknown fields: [foo] (702)'],
    [adyenError(404, '000', 'Not found'), 'Not found (000)'],
    [adyenError(422, '14_030', 'Return URL is missing.'), 'Return URL is missing. (14_030)'],
    [json(422, { status: 422, message: 'No' }), 'No'],
    [json(400, { oops: true }), ''],
  ],
  quoted: [adyenError(401, '000', `The key ${CREDENTIALS.apiKey} is wrong`), 'The key … is wrong (000)'],
  nonsense: [{ status: 'refused' }, { status: 200 }, { id: '' }].map((one) => json(200, link(one))),
  unpayable: [undefined, null, '', '/pay'].map(linkAt),
  unbelievable: [
    eur(1250, 'USD'),
    eur(1250, 'eur'),
    eur(12.5),
    eur(-1250),
    eur('1250'),
    eur(2 ** 53),
    eur(undefined),
  ].map(linkPaid),
  amounts: {
    values: [
      ['EUR', 1250, 1250],
      ['EUR', 5, 5],
      ['EUR', 100_000_000_001, 100_000_000_001],
      ['HUF', 199_955, 199_955],
      ['JPY', 1000, 1000],
      ['BHD', 1230, 1230],
      ['CLP', 1000, 100_000],
      ['ISK', 5, 500],
      ['KWD', 5120, 5120],
      ['TWD', 80045, 80045],
      ['UGX', 5, 5],
      ['MGA', 500, 500],
      ['IDR', 1_500_000, 15000],
      ['CVE', 100, 1],
    ],
    step: (currency) => (['CVE', 'IDR'].includes(currency) ? 100 : 1),
    sent: ({ amount }) => amount,
  },
  locales: {
    as: 'shopperLocale',
    shown:
      'nl:nl-NL nl_BE:nl-NL en:en-US en-GB:en-US de-AT:de-DE fr-BE:fr-FR es-MX:es-ES ca:ca-ES ' +
      'pt:pt-PT pt_BR:pt-BR nb:no-NO nn-NO:no-NO sv:sv-SE el:el-GR ar-MA:ar zh:zh-CN ' +
      'zh-Hans_SG:zh-CN zh-Hant-TW:zh-TW zh-HK:zh-TW zh-MO:zh-TW zh_Hant_HK:zh-TW zh_Hans_HK:zh-CN ' +
      'yue:zh-TW ja:ja-JP pt-AO:pt-PT',
    none: 'tr fil sr-Latn ja-Latn und english _',
  },
  credentials: CREDENTIALS,
  notifications: {
    examples: ['AUTHORISATION', 'REFUND', 'REFUND_FAILED', 'CHARGEBACK', 'REFUNDED_REVERSED'].flatMap(
      (eventCode) =>
        [paymentRequest.job, `${paymentRequest.job}.${paymentRequest.job}`].map((merchantReference) => ({
          ...item(),
          eventCode,
          merchantReference,
        })),
    ),
    // Others cannot be signed, so that Adyen never sends them.
    sent: async (items) => ({
      headers: {},
      body: isSignable(items) ? await adyenWebhook([items], hmacKey) : '{}',
    }),
  },
  words: {
    '## Statuses': STATUSES,
    '## Card terminals': Object.fromEntries(
      Object.entries(CONDITIONS).map(([word, { meaning }]) => [word, meaning]),
    ),
  },
  payoutFile:
    'Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
    'Net Currency,Net Debit (NC),Net Credit (NC),Batch Number\n' +
    'P1,A-1,2026-10-03 20:17:00,CEST,Settled,EUR,,12.50,EUR,,12.50,7\n',
}
