import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { CREDENTIALS, LINK, adyenError, announced, atAdyen, link } from './samples.ts'
import { type Answers, json, patience, paymentRequest } from '../scripted.ts'
import { EVENTS } from '../../../src/psp/adyen/notification.ts'
import { METHODS } from '../../../src/psp/adyen/tables.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import { DAY } from '../../../src/contract/timestamp.ts'

describe('credentials', () => {
  it.each([
    [{}],
    [{ livePrefix: '1797a841fbb37ca7-AdyenDemo' }],
    [{ livePrefix: undefined }],
    [{ hmacKey: CREDENTIALS.hmacKey.toLowerCase() }],
    [{ hmacKey: ` ${CREDENTIALS.hmacKey}, 00ff\n` }],
  ])('with %j are accepted', (changes) => {
    expect(v.is(adyen.credentials, { ...CREDENTIALS, ...changes })).toBe(true)
  })

  it.each([
    ['apiKey', undefined],
    ['apiKey', ''],
    ['apiKey', `${CREDENTIALS.apiKey}\n`],
    ['apiKey', 12],
    ['merchantAccount', ''],
    ['merchantAccount', 'Hub Shop'],
    ['hmacKey', ''],
    ['hmacKey', ' , '],
    ['hmacKey', 'xyz'],
    ['hmacKey', 'abc'],
    ['hmacKey', `${CREDENTIALS.hmacKey} secret`],
    ['livePrefix', ''],
    ['livePrefix', 'evil.example/'],
    ['livePrefix', 'https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com'],
  ])('whose %s is %j are refused at once', (name, value) => {
    const credentials = { ...CREDENTIALS, [name]: value }
    const parsed = v.safeParse(adyen.credentials, credentials)
    expect(parsed.issues?.map((issue) => v.getDotPath(issue))).toEqual([name])
    if (value !== undefined) expect(parsed.issues?.[0]?.message).toMatch(/^must be /)
    expect(() => adyen.open({ fetch: json(500, {}), mode: 'test', credentials })).toThrow()
  })

  it('do not show their mode', () => {
    expect(adyen).not.toHaveProperty('modeOf')
  })

  it('each say where the operator finds them', () => {
    for (const [name, schema] of Object.entries(adyen.credentials.entries)) {
      const inner = 'wrapped' in schema ? (schema.wrapped as typeof schema) : schema
      expect(v.getDescription(inner as never), name).toMatch(/\w{3}/)
    }
  })
})

it('has the operator switch on every event about money', () => {
  for (const event of EVENTS.keys()) expect(adyen.webhook).toMatch(new RegExp(`\\b${event}\\b`))
})

describe('the request that announces a payment', () => {
  it('is one POST of JSON with the API key, and a key made of job and account', async () => {
    const { psp, requests } = atAdyen(json(201, link()))
    await psp.announce(paymentRequest, patience)
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      'x-api-key': CREDENTIALS.apiKey,
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': `${paymentRequest.job}.HubShopECOM`,
    })
    expect(await requests[0]?.json()).toEqual({
      merchantAccount: 'HubShopECOM',
      reference: paymentRequest.job,
      amount: { currency: 'EUR', value: 1250 },
      returnUrl: paymentRequest.returnUrl,
      captureDelayHours: 0,
      description: 'A-7',
      merchantOrderReference: 'A-7',
      shopperLocale: 'nl-NL',
      allowedPaymentMethods: ['ideal'],
    })
  })

  it('tells Adyen to wait with the capture if the hub captures later, and changes nothing else', async () => {
    const { captureDelayHours, ...automatic } = await announced({ paymentMethod: 'card' })
    const manual = await announced({ paymentMethod: 'card', capture: 'manual' })
    expect([captureDelayHours, manual]).toEqual([0, { ...automatic, manualCapture: true }])
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
    ['wechatpay', ['wechatpayQR', 'wechatpayWeb']],
  ])('offers the payment method %s as %j', async (paymentMethod, types) => {
    expect(await announced({ paymentMethod })).toHaveProperty('allowedPaymentMethods', types)
  })

  it.each(['pin', 'giropay', 'ideal2', 'constructor', '__proto__', '*', ''])(
    'lets the customer choose for the payment method %j, which Adyen does not have',
    async (paymentMethod) => {
      const request = await announced({ paymentMethod })
      expect(request).not.toHaveProperty('allowedPaymentMethods')
      // Billie needs the customer's company, for which Adyen's page does not ask.
      expect(request).toHaveProperty('blockedPaymentMethods', ['klarna_b2b'])
    },
  )

  it.each([
    ['klarna', 'SEK', 'SE'],
    ['riverty', 'CHF', 'CH'],
    ['klarna', 'EUR', undefined],
    ['card', 'SEK', undefined],
    ['*', 'SEK', undefined],
  ])('for %s in %s has the only country that it can be: %s', async (paymentMethod, currency, country) => {
    expect((await announced({ paymentMethod, currency }))['countryCode']).toBe(country)
  })

  it.each([
    ['card', ['shopperEmail']],
    ['pin', ['shopperEmail']],
    ['klarna', ['shopperEmail', 'shopperName', 'billingAddress']],
    ['riverty', ['shopperEmail', 'shopperName', 'billingAddress']],
    ['ideal', undefined],
  ])("for %s makes Adyen's page ask the customer for %j", async (paymentMethod, fields) => {
    expect((await announced({ paymentMethod }))['requiredShopperFields']).toEqual(fields)
  })

  it.each([
    ['klarna', true],
    ['riverty', true],
    ['sofort', true],
    ['ideal', false],
    ['pin', true],
    ['*', true],
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
  ])(
    'cuts a description at 280 characters, without cutting a character in two',
    async (description, sent) => {
      expect((await announced({ description }))['description']).toBe(sent)
    },
  )

  it('is accepted by each merchant account of a company, whose idempotency keys Adyen keeps together', async () => {
    const { handle, accounts } = adyenFake()
    const soon = AbortSignal.timeout(1000)
    for (const credentials of accounts)
      expect(
        await adyen.open({ mode: 'live', credentials, fetch: handle }).announce(paymentRequest, soon),
      ).toMatchObject({ is: 'announced' })
  })

  it('is accepted by the simulator for every payment method', async () => {
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
  ])('for %j is %s', async (connection, url) => {
    expect(await asked(connection)).toEqual([url])
  })

  it('in live mode needs the prefix', () => {
    const fetch = json(500, {})
    expect(() => adyen.open({ mode: 'live', credentials: CREDENTIALS, fetch })).toThrow(/livePrefix/)
  })
})

const EXPIRES_AT = Date.UTC(2026, 10, 21, 10, 15)

const PATH = `https://checkout-test.adyen.com/v71/paymentLinks/${LINK}`

function seen(...answers: Answers) {
  return atAdyen(...answers).psp.ask(LINK, 'EUR')
}

describe('a payment that Adyen holds', () => {
  it.each([
    ['active', { status: 'PENDING', stage: { is: 'open' } }, 0],
    ['paymentPending', { status: 'PENDING', stage: { is: 'underway', patience: 28 * DAY } }, 0],
    ['completed', { status: 'SUCCESS' }, 1250],
    ['paid', { status: 'SUCCESS' }, 1250],
    ['expired', { status: 'EXPIRED', closed: false }, 0],
  ])('that is %s there is %j here, with %d paid', async (there, standing, paid) => {
    expect(await seen(json(200, link({ status: there })))).toEqual({
      is: 'observed',
      ...standing,
      paid,
      expiresAt: EXPIRES_AT,
    })
  })

  it.each([
    ['active', { status: 'PENDING', stage: { is: 'open' } }],
    ['completed', { status: 'PENDING', stage: { is: 'authorized', patience: 28 * DAY }, authorized: 1250 }],
    ['paid', { status: 'PENDING', stage: { is: 'authorized', patience: 28 * DAY }, authorized: 1250 }],
    ['expired', { status: 'EXPIRED', closed: false }],
  ])('for a later capture that is %s has nothing paid', async (there, standing) => {
    const held = link({ status: there, manualCapture: true })
    expect(await seen(json(200, held))).toEqual({
      is: 'observed',
      ...standing,
      paid: 0,
      expiresAt: EXPIRES_AT,
    })
  })

  it.each([
    [['scheme'], 7],
    [['paypal'], 3],
    [['klarna', 'klarna_account', 'klarna_paynow'], 28],
    [['newpay'], 28],
    [[], 28],
    [undefined, 28],
    ['scheme', 28],
    [[7], 28],
  ])('that is reserved by %j is held for %d days', async (allowedPaymentMethods, days) => {
    const held = link({ status: 'completed', manualCapture: true, allowedPaymentMethods })
    expect(await seen(json(200, held))).toMatchObject({ stage: { is: 'authorized', patience: days * DAY } })
  })

  it('that is under way is awaited equally long by every method', async () => {
    const underway = link({
      status: 'paymentPending',
      manualCapture: true,
      allowedPaymentMethods: ['paypal'],
    })
    expect(await seen(json(200, underway))).toMatchObject({ stage: { is: 'underway', patience: 28 * DAY } })
  })

  it('is paid if it is not for a later capture, whatever else the link says about that', async () => {
    for (const manualCapture of [false, null, 'true'])
      expect(await seen(json(200, link({ status: 'completed', manualCapture })))).toMatchObject({
        paid: 1250,
      })
  })

  it('with an unknown status is no answer, and the operator sees the word', async () => {
    expect(await seen(json(200, link({ status: 'halfPaid' })))).toEqual({
      is: 'unavailable',
      message: 'Adyen says that the link is "halfPaid", which the hub does not know.',
    })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atAdyen(json(200, link({ status: 'active' })), ...answers)
    const answer = await psp.stop(LINK, 'EUR')
    const [first, ...others] = requests
    expect(first).toMatchObject({ method: 'GET', url: PATH })
    return { answer, requests: others, asked: others.map(({ method, url }) => `${method} ${url}`) }
  }

  it('makes its link expire, which counts as cancelled here', async () => {
    const { answer, asked, requests } = await stopped(json(200, link({ status: 'expired' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'CANCELLED', closed: false, paid: 0 })
    expect(asked).toEqual([`PATCH ${PATH}`])
    expect(await requests[0]?.json()).toEqual({ status: 'expired' })
  })

  it.each([400, 403, 409, 422])('asks about it if Adyen refuses with %d', async (status) => {
    const refused = adyenError(status, '14_000', 'The payment link is not active')
    const paid = await stopped(refused, json(200, link({ status: 'completed' })))
    expect(paid.answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(paid.asked).toEqual([`PATCH ${PATH}`, `GET ${PATH}`])
    const { answer } = await stopped(refused, json(200, link({ status: 'expired' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'EXPIRED', paid: 0 })
  })

  it('leaves reserved money to a release', async () => {
    const { psp, asked } = atAdyen(json(200, link({ status: 'completed', manualCapture: true })))
    expect(await psp.stop(LINK, 'EUR')).toMatchObject({ status: 'PENDING', stage: { is: 'authorized' } })
    expect(asked()).toHaveLength(1)
  })

  it('finds it paid in the answer itself', async () => {
    const { answer } = await stopped(json(200, link({ status: 'completed' })))
    expect(answer).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    ['paymentPending', 'PENDING', 0],
    ['completed', 'SUCCESS', 1250],
    ['expired', 'EXPIRED', 0],
  ])('leaves a link alone that is %s', async (status, here, paid) => {
    const { psp, requests } = atAdyen(json(200, link({ status })))
    expect(await psp.stop(LINK, 'EUR')).toMatchObject({ is: 'observed', status: here, paid })
    expect(requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it.each([404, 410])('reports it as unknown if Adyen answers %d', async (status) => {
    const { answer, asked } = await stopped(adyenError(status, '14_000', 'Not found'))
    expect(answer).toEqual({ is: 'unknown' })
    expect(asked).toHaveLength(1)
  })
})

it('a link has no end if that is not a time', async () => {
  const held = json(201, link({ expiresAt: 'tomorrow' }))
  expect(await atAdyen(held).psp.announce(paymentRequest, patience)).toMatchObject({ expiresAt: null })
})

it.each([
  ['CLP', 1250],
  ['ISK', 99],
])('Adyen is not believed %s %d, for which ISO 4217 has no unit', async (currency, value) => {
  const { psp } = atAdyen(json(200, link({ status: 'completed', amount: { currency, value } })))
  expect(await psp.ask(LINK, currency)).toMatchObject({ is: 'unavailable' })
})
