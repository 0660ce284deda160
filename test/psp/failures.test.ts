import { describe, expect, it } from 'vitest'
import { CREDENTIALS, LINK, adyenError, atAdyen, link } from './adyen/at-adyen.ts'
import { atMollie, mollieError, payment } from './mollie/at-mollie.ts'
import { API_KEY, atMultiSafepay, created, failure, shown } from './multisafepay/at-multisafepay.ts'
import {
  type Answer,
  type Answers,
  type Scripted,
  closedConnection,
  json,
  paymentRequest,
  patience,
} from './scripted.ts'
import { SECRET_KEY, atStripe, session, stripeError } from './stripe/at-stripe.ts'

/**
 * Answers of one PSP that show no payment; `every-adapter.test.ts` has what holds at every PSP.
 * `refused`: answers to an announcement, and the hub's words. `quoted`: the same, for an answer that
 * quotes the account's key. `nonsense`: no answer to an announcement or a question. `unpayable`: an
 * announcement without a way to pay. `unbelievable`: a paid payment of another order, amount or
 * currency.
 */
type Case = {
  at: (...answers: Answers) => Scripted
  reference: string
  refused: [Answer, string][]
  quoted?: [Answer, string]
  nonsense: Answer[]
  unpayable: Answer[]
  unbelievable: Answer[]
}

const eur = (value: unknown, currency = 'EUR') => ({ currency, value })
const linkAt = (url: unknown) => json(201, link({ url }))
const sessionAt = (url: unknown) => json(200, session({ url }))
const molliePaid = (amount: object) => json(200, payment({ status: 'paid', amount }))
const linkPaid = (amount: object) => json(200, link({ status: 'completed', amount }))
const orderPaid = (changes: object) =>
  shown({ status: 'completed', financial_status: 'completed', ...changes })
const unpaid = (payment_intent: unknown) =>
  json(200, session({ status: 'complete', payment_status: 'unpaid', payment_intent }))

const CASES: Record<string, Case> = {
  Adyen: {
    at: atAdyen,
    reference: LINK,
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
  },
  Mollie: {
    at: atMollie,
    reference: 'tr_7UhSN1zuXS',
    refused: [
      [mollieError(404, 'Not Found', 'No route found'), 'Not Found: No route found'],
      [mollieError(410, 'Gone', 'No longer offered'), 'Gone: No longer offered'],
      [
        mollieError(422, 'Wrong', 'The amount is too high', 'amount'),
        'Wrong: The amount is too high (amount)',
      ],
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
  },
  MultiSafepay: {
    at: atMultiSafepay,
    reference: paymentRequest.job,
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
  },
  Stripe: {
    at: atStripe,
    reference: 'cs_test_1',
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
  },
}

describe.each(Object.entries(CASES))('%s', (name, psp) => {
  const announce = (answer: Answer) => psp.at(answer).psp.announce(paymentRequest, patience)
  const ask = (answer: Answer) => psp.at(answer).psp.ask(psp.reference, 'EUR')
  const noAnswer = { is: 'unavailable', message: expect.stringMatching(/\w/) as string }

  it.each(psp.refused.map(([answer, words]) => ({ answer, words })))(
    'refuses an order in its own words: $words',
    async ({ answer, words }) => {
      const message = `${name} refused the payment${words ? `: ${words}` : '.'}`
      expect(await announce(answer)).toMatchObject({ is: 'refused', message })
    },
  )

  it.runIf(psp.quoted)('hides the key that the PSP quotes', async () => {
    const [answer = closedConnection, words] = psp.quoted ?? []
    const message = `${name} refused the payment: ${words}`
    expect(await announce(answer)).toMatchObject({ message })
  })

  it.each(psp.nonsense)('takes nonsense as no answer, case %#', async (answer) => {
    expect(await announce(answer)).toMatchObject(noAnswer)
    expect(await ask(answer)).toMatchObject(noAnswer)
  })

  it.each(psp.unpayable)('does not announce a payment that cannot be paid, case %#', async (answer) => {
    expect(await announce(answer)).toMatchObject(noAnswer)
  })

  it.each(psp.unbelievable)('is not believed, case %#', async (answer) => {
    expect(await ask(answer)).toMatchObject(noAnswer)
  })
})

it('a link of Adyen has no end if that is not a time', async () => {
  const held = json(201, link({ expiresAt: 'tomorrow' }))
  expect(await atAdyen(held).psp.announce(paymentRequest, patience)).toMatchObject({ expiresAt: null })
})
