import { describe, expect, it } from 'vitest'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { METHODS } from '../../../src/psp/stripe/tables.ts'
import { SECRET_KEY, WEBHOOK_SECRET, announced, atStripe, session } from './at-stripe.ts'
import { bodyOf, json, paymentRequest, patience } from '../scripted.ts'

const METHOD = 'allowed_payment_method_types[0]'
const NAME = 'line_items[0][price_data][product_data][name]'

describe('the request that announces a payment', () => {
  it('is one POST of a form with the secret key, the API version, and the job id as idempotency key', async () => {
    const { psp, requests } = atStripe(json(200, session()))
    await psp.announce(paymentRequest, patience)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.stripe.com/v1/checkout/sessions',
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${SECRET_KEY}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': paymentRequest.job,
      'stripe-version': '2026-10-28.endive',
    })
    expect(await announced({})).toEqual({
      mode: 'payment',
      client_reference_id: paymentRequest.job,
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '1250',
      [NAME]: 'A-7',
      'line_items[0][quantity]': '1',
      success_url: paymentRequest.returnUrl,
      cancel_url: paymentRequest.cancelUrl,
      [METHOD]: 'ideal',
      locale: 'nl',
      'metadata[payment_job]': paymentRequest.job,
      'payment_intent_data[metadata][payment_job]': paymentRequest.job,
    })
  })

  it('is the same each time, byte by byte', async () => {
    const { psp, requests } = atStripe(json(200, session()))
    await psp.announce(paymentRequest, patience)
    await psp.announce({ ...paymentRequest }, patience)
    const [first, second] = await Promise.all(requests.map(bodyOf))
    expect(first).toBe(second)
  })

  it.each([
    ['ideal', 'ideal'],
    ['iDEAL', 'ideal'],
    ['CREDITCARD', 'card'],
    ['applepay', 'card'],
    ['GooglePay', 'card'],
    ['directdebit', 'sepa_debit'],
    ['sepa', 'sepa_debit'],
    ['sofort', 'klarna'],
    ['klarna', 'klarna'],
    ['przelewy24', 'p24'],
    ['P24', 'p24'],
    ['mbway', 'mb_way'],
    ['wechatpay', 'wechat_pay'],
  ])('names the payment method %s as %s', async (paymentMethod, method) => {
    expect(await announced({ paymentMethod })).toHaveProperty([METHOD], method)
  })

  it.each(['pin', 'giropay', 'banktransfer', 'giftcard', 'ideal2', 'constructor', '*'])(
    'leaves the choice to the customer for %s, which Checkout does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty([METHOD])
    },
  )

  it('knows each payment method in small letters, so that any spelling finds it', () => {
    expect([...METHODS.keys()].filter((name) => name !== name.toLowerCase())).toEqual([])
  })

  it.each([
    ['EUR', 1250, '1250'],
    ['EUR', 5, '5'],
    ['JPY', 1000, '1000'],
    ['ISK', 5, '500'],
    ['UGX', 5, '500'],
    ['MGA', 500, '5'],
    ['HUF', 199_955, '199955'],
    ['TWD', 80_045, '80045'],
    ['KWD', 5120, '5120'],
  ])('writes %s, %d minor units, as %s', async (currency, amount, written) => {
    expect(await announced({ currency, amount })).toMatchObject({
      'line_items[0][price_data][currency]': currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': written,
    })
  })

  it.each([
    ['A-7', 'A-7'],
    ['é & ü = 100%', 'é & ü = 100%'],
    ['é'.repeat(250), 'é'.repeat(250)],
    [`${'é'.repeat(250)}x`, 'é'.repeat(250)],
    ['🧾'.repeat(127), '🧾'.repeat(127)],
  ])('names the product after the order, up to 250 characters', async (description, name) => {
    expect(await announced({ description })).toHaveProperty([NAME], name)
  })
})

describe('credentials', () => {
  const of = (secretKey: unknown, webhookSecret: unknown = WEBHOOK_SECRET) => ({ secretKey, webhookSecret })
  const open = (credentials: unknown) =>
    stripe.open({ fetch: async () => new Response(), mode: 'test', credentials })

  it.each([
    ['sk_test_51H', 'test'],
    ['sk_live_51H', 'live'],
    ['rk_test_51H', 'test'],
    ['rk_live_51H', 'live'],
  ])('with the key %s are of mode %s', (secretKey, mode) => {
    expect(stripe.modeOf(of(secretKey))).toBe(mode)
  })

  it.each([WEBHOOK_SECRET, 'whsec_a whsec_b', 'whsec_a,whsec_b', ' whsec_a,\n whsec_b\n'])(
    'may hold the signing secrets %j',
    (webhookSecret) => {
      expect(() => open(of(SECRET_KEY, webhookSecret))).not.toThrow()
    },
  )

  it.each([
    [of('pk_live_51H')],
    [of('test_0123456789')],
    [of(`${SECRET_KEY}\n`)],
    [of('sk_test_')],
    [of(SECRET_KEY, '')],
    [of(SECRET_KEY, ' ')],
    [of(SECRET_KEY, 'we_1Mr5')],
    [of(SECRET_KEY, 'whsec_a we_1Mr5')],
    [{ secretKey: SECRET_KEY }],
    [of(undefined)],
    [{}],
    [null],
  ])('that Stripe does not have (%j) are refused at once', (credentials) => {
    expect(() => open(credentials)).toThrow()
  })
})
