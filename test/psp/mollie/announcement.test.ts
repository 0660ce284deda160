import { describe, expect, it } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { API_KEY, announced, atMollie, payment } from './at-mollie.ts'
import { json, paymentRequest, patience } from '../scripted.ts'

/**
 * The enum of `method` in https://docs.mollie.com/reference/create-payment, without what the hub
 * does not name.
 */
const CREATE_METHODS = new Set(
  (
    'applepay bacs bancomatpay bancontact banktransfer belfius bizum blik creditcard directdebit eps giftcard ' +
    'ideal kbc mbway mobilepay multibanco mybank paybybank paypal paysafecard przelewy24 satispay swish trustly ' +
    'twint vipps'
  ).split(' '),
)

describe('the request that announces a payment', () => {
  it('is one POST of JSON with the API key, and the job id as idempotency key', async () => {
    const { psp, requests } = atMollie(json(201, payment()))
    await psp.announce(paymentRequest, patience)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.mollie.com/v2/payments',
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${API_KEY}`,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': paymentRequest.job,
    })
    expect(await requests[0]?.json()).toEqual({
      amount: { currency: 'EUR', value: '12.50' },
      description: 'A-7',
      redirectUrl: paymentRequest.returnUrl,
      cancelUrl: paymentRequest.returnUrl,
      webhookUrl: paymentRequest.notificationUrl,
      method: 'ideal',
      locale: 'nl_NL',
      metadata: { paymentJob: paymentRequest.job },
    })
  })

  it('goes to another endpoint where the connection names one', async () => {
    const asked: string[] = []
    const psp = mollie.open({
      mode: 'test',
      endpoint: 'http://localhost:8787/mollie/v2',
      credentials: { apiKey: API_KEY },
      fetch: async (request) => {
        asked.push(request.url)
        return Response.json(payment(), { status: 201 })
      },
    })
    await psp.announce(paymentRequest, patience)
    expect(asked).toEqual(['http://localhost:8787/mollie/v2/payments'])
  })

  it.each([
    ['ideal', 'ideal'],
    ['iDEAL', 'ideal'],
    ['CREDITCARD', 'creditcard'],
    ['banktransfer', 'banktransfer'],
    ['googlepay', 'creditcard'],
  ])('names the payment method %s as %s', async (paymentMethod, method) => {
    expect(await announced({ paymentMethod })).toHaveProperty('method', method)
  })

  it('asks Mollie for no method that its create call does not have', () => {
    expect(
      [...new Set(mollie.methods.values())].filter((method) => !CREATE_METHODS.has(String(method))),
    ).toEqual([])
  })

  it.each(['pin', 'visa', 'ideal2', 'constructor', '*'])(
    'leaves out the payment method %s, which Mollie does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty('method')
    },
  )

  it.each([
    ['EUR', 1250, '12.50'],
    ['EUR', 5, '0.05'],
    ['EUR', 100_000_000_001, '1000000000.01'],
    ['HUF', 199_900, '1999.00'],
    ['JPY', 1000, '1000'],
    ['ISK', 1, '1'],
    ['KWD', 1234, '1.234'],
    ['KWD', 1, '0.001'],
  ])('writes %s, %d minor units, as %s %s', async (currency, amount, value) => {
    expect(await announced({ currency, amount })).toHaveProperty('amount', { currency, value })
  })

  it.each([
    ['A-7', 'A-7'],
    ['é'.repeat(255), 'é'.repeat(255)],
    [`${'é'.repeat(255)}x`, 'é'.repeat(255)],
  ])('cuts a description at 255 characters', async (description, sent) => {
    expect(await announced({ description })).toHaveProperty('description', sent)
  })
})

describe('credentials', () => {
  it.each([
    [{ apiKey: 'sk_live_0123456789' }],
    [{ apiKey: 'live_short' }],
    [{ apiKey: `${API_KEY}\n` }],
    [{}],
    [null],
  ])('that hold no Mollie API key (%j) are refused at once', (credentials) => {
    expect(() => mollie.open({ fetch: async () => new Response(), mode: 'test', credentials })).toThrow()
  })
})
