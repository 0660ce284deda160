import { describe, expect, it } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { METHODS } from '../../../src/psp/adyen/tables.ts'
import { CREDENTIALS, announced, atAdyen, link } from './at-adyen.ts'
import { json, paymentRequest, patience } from '../scripted.ts'
import { adyenFake } from '../../support/psps/adyen.ts'

describe('the request that announces a payment', () => {
  it('is one POST of JSON with the API key, and the job id as idempotency key', async () => {
    const { psp, requests } = atAdyen(json(201, link()))
    await psp.announce(paymentRequest, patience)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://checkout-test.adyen.com/v71/paymentLinks',
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'x-api-key': CREDENTIALS.apiKey,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': paymentRequest.job,
    })
    expect(await requests[0]?.json()).toEqual({
      merchantAccount: 'HubShopECOM',
      reference: paymentRequest.job,
      amount: { currency: 'EUR', value: 1250 },
      returnUrl: paymentRequest.returnUrl,
      captureDelayHours: 0,
      description: 'A-7',
      shopperLocale: 'nl-NL',
      allowedPaymentMethods: ['ideal'],
    })
  })

  it('has the same bytes each time', async () => {
    const { psp, requests } = atAdyen(json(201, link()))
    await psp.announce(paymentRequest, patience)
    await psp.announce({ ...paymentRequest }, patience)
    const [first, second] = await Promise.all(requests.map((request) => request.text()))
    expect(second).toBe(first)
  })

  it.each([
    ['iDEAL', ['ideal']],
    ['bancontact', ['bcmc', 'bcmc_mobile']],
    ['CREDITCARD', ['scheme']],
    ['paypal', ['paypal']],
    ['directdebit', ['sepadirectdebit']],
    ['banktransfer', ['bankTransfer_IBAN']],
    ['przelewy24', ['onlineBanking_PL']],
    ['klarna', ['klarna', 'klarna_account', 'klarna_paynow']],
    ['billie', ['klarna_b2b']],
    ['wechatpay', ['wechatpayQR', 'wechatpayWeb']],
  ])('offers the payment method %s as %j', async (paymentMethod, types) => {
    expect(await announced({ paymentMethod })).toHaveProperty('allowedPaymentMethods', types)
  })

  it.each(['pin', 'giropay', 'ideal2', 'constructor', '__proto__', '*', ''])(
    'lets the customer choose for the payment method %j, which Adyen does not have',
    async (paymentMethod) => {
      expect(await announced({ paymentMethod })).not.toHaveProperty('allowedPaymentMethods')
    },
  )

  it.each([
    ['klarna', true],
    ['riverty', true],
    ['sofort', true],
    ['ideal', false],
    ['pin', false],
  ])('has the order as one line for %s: %s', async (paymentMethod, isThere) => {
    const { lineItems } = await announced({ paymentMethod })
    const line = { id: '1', description: 'A-7', quantity: 1, amountIncludingTax: 1250 }
    expect(lineItems).toEqual(isThere ? [line] : undefined)
  })

  it.each([
    ['A-7', 'A-7'],
    ['é'.repeat(280), 'é'.repeat(280)],
    [`${'é'.repeat(280)}x`, 'é'.repeat(280)],
    [`${'x'.repeat(279)}😀`, 'x'.repeat(279)],
    [`${'x'.repeat(278)}😀`, `${'x'.repeat(278)}😀`],
    ['', undefined],
  ])('cuts a description at 280 characters, and none of them in two', async (description, sent) => {
    expect((await announced({ description }))['description']).toBe(sent)
  })

  it('is taken by the simulator for every payment method', async () => {
    const { handle, accounts } = adyenFake()
    const psp = adyen.open({ mode: 'live', credentials: accounts[0], fetch: handle })
    for (const paymentMethod of METHODS.keys()) {
      const order = {
        ...paymentRequest,
        job: crypto.randomUUID(),
        paymentMethod,
        description: 'x'.repeat(400),
      }
      expect(await psp.announce(order, patience), paymentMethod).toMatchObject({ is: 'announced' })
    }
  })
})

describe('the endpoint', () => {
  const asked = async (connection: object) => {
    const urls: string[] = []
    const fetch = async (request: Request) => {
      urls.push(request.url)
      return Response.json(link(), { status: 201 })
    }
    const psp = adyen.open({ mode: 'test', credentials: CREDENTIALS, ...connection, fetch })
    await psp.announce(paymentRequest, patience)
    return urls
  }
  const live = { ...CREDENTIALS, livePrefix: '1797a841fbb37ca7-AdyenDemo' }

  it.each([
    [{}, 'https://checkout-test.adyen.com/v71/paymentLinks'],
    [{ credentials: live }, 'https://checkout-test.adyen.com/v71/paymentLinks'],
    [
      { mode: 'live', credentials: live },
      'https://1797a841fbb37ca7-adyendemo-checkout-live.adyenpayments.com/checkout/v71/paymentLinks',
    ],
    [{ mode: 'live', endpoint: 'http://localhost:8787/adyen' }, 'http://localhost:8787/adyen/paymentLinks'],
  ])('of %j is %s', async (connection, url) => {
    expect(await asked(connection)).toEqual([url])
  })

  it('of live mode is nowhere without the prefix', () => {
    const fetch = json(500, {})
    expect(() => adyen.open({ mode: 'live', credentials: CREDENTIALS, fetch })).toThrow(/livePrefix/)
  })
})
