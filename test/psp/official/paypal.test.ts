import {
  ApiError,
  CheckoutPaymentIntent,
  Client,
  Environment,
  OrdersController,
  PaymentsController,
} from '@paypal/paypal-server-sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeEach, describe, expect, it } from 'vitest'
import { paypal } from '../../../src/psp/paypal/adapter.ts'
import {
  AUTHORIZATION_STATUSES,
  CAPTURE_STATUSES,
  REFUND_STATUSES,
  STATUSES,
} from '../../../src/psp/paypal/tables.ts'
import { type PaypalFake, paypalFake } from '../../support/psps/paypal.ts'
import { orderJson, unprocessable } from '../../support/psps/paypal-order.ts'
import { patience, paymentRequestOf, wish } from '../scripted.ts'
import SCHEMAS from './paypal-schemas.json' with { type: 'json' }

/*
 * PayPal's own client and its documented schemas judge the double and the adapter's requests. The client checks types
 * and required members, but no words; the schemas check words, forms and lengths.
 */

const [CREDENTIALS] = paypalFake().accounts

let fake: PaypalFake
beforeEach(() => {
  fake = paypalFake()
})

type Sent = { url: string; method: string; headers: Record<string, string>; data?: string | null }

/** PayPal's client, with the double instead of the network. */
function client(clientSecret = CREDENTIALS.clientSecret) {
  const adapter = async ({ url, method, headers, data }: Sent) => {
    const request = new Request(url, { method, headers: { ...headers }, body: data ?? null })
    const answer = await fake.handle(request)
    const text = await answer.text()
    return {
      data: text,
      status: answer.status,
      statusText: '',
      headers: Object.fromEntries(answer.headers),
      config: {},
    }
  }
  return new Client({
    clientCredentialsAuthCredentials: {
      oAuthClientId: CREDENTIALS.clientId,
      oAuthClientSecret: clientSecret,
    },
    environment: Environment.Production,
    unstable_httpClientOptions: { adapter },
  })
}

const WHOLE = 'return=representation'

async function approved(intent: CheckoutPaymentIntent, job = crypto.randomUUID()) {
  const orders = new OrdersController(client())
  const { result } = await orders.createOrder({
    body: {
      intent,
      purchaseUnits: [{ customId: job, amount: { currencyCode: 'EUR', value: '12.50' } }],
      paymentSource: {
        paypal: { experienceContext: { returnUrl: 'https://a.test/', cancelUrl: 'https://a.test/' } },
      },
    },
    paypalRequestId: job,
    prefer: WHOLE,
  })
  fake.bring(job, 'paid')
  return { orders, payments: new PaymentsController(client()), id: result.id ?? '', job, made: result }
}

describe("PayPal's client", () => {
  it('creates, captures and reads an order of the double, and refunds a part', async () => {
    const { orders, payments, id, job, made } = await approved(CheckoutPaymentIntent.Capture)
    expect(made.status).toBe('PAYER_ACTION_REQUIRED')
    expect(made.links?.map(({ rel }) => rel)).toContain('payer-action')
    expect((await orders.getOrder({ id })).result.status).toBe('APPROVED')
    const captured = (await orders.captureOrder({ id, prefer: WHOLE })).result
    const capture = captured.purchaseUnits?.[0]?.payments?.captures?.[0]
    expect(capture).toMatchObject({ status: 'COMPLETED', customId: job, finalCapture: true })
    const refund = await payments.refundCapturedPayment({
      captureId: capture?.id ?? '',
      body: { amount: { currencyCode: 'EUR', value: '5.00' }, invoiceId: 'r-1' },
      prefer: WHOLE,
    })
    expect(refund.result).toMatchObject({ status: 'COMPLETED', invoiceId: 'r-1' })
    const [unit] = (await orders.getOrder({ id })).result.purchaseUnits ?? []
    expect(unit?.payments?.refunds).toHaveLength(1)
    expect(unit?.payments?.captures?.[0]?.status).toBe('PARTIALLY_REFUNDED')
    expect((await payments.getCapturedPayment({ captureId: capture?.id ?? '' })).result.customId).toBe(job)
  })

  it('authorises an order, captures a part and voids another', async () => {
    const { orders, payments, id } = await approved(CheckoutPaymentIntent.Authorize)
    const authorised = (await orders.authorizeOrder({ id, prefer: WHOLE })).result
    const authorizationId = authorised.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id ?? ''
    const body = { amount: { currencyCode: 'EUR', value: '5.00' }, finalCapture: true }
    const { result } = await payments.captureAuthorizedPayment({ authorizationId, body, prefer: WHOLE })
    expect(result).toMatchObject({ status: 'COMPLETED', finalCapture: true })
    const other = await approved(CheckoutPaymentIntent.Authorize)
    const made = (await other.orders.authorizeOrder({ id: other.id, prefer: WHOLE })).result
    const voided = await payments.voidPayment({
      authorizationId: made.purchaseUnits?.[0]?.payments?.authorizations?.[0]?.id ?? '',
      prefer: WHOLE,
    })
    expect(voided.result?.status).toBe('VOIDED')
  })

  it.each([
    ['a second capture', 'ORDER_ALREADY_CAPTURED', 'paid'],
    ['what nobody approved', 'ORDER_NOT_APPROVED', 'open'],
  ])('reads how the double refuses %s', async (_, issue, how) => {
    const { orders, id, job } = await approved(CheckoutPaymentIntent.Capture)
    if (how === 'paid') await orders.captureOrder({ id })
    else fake.of(job).status = 'PAYER_ACTION_REQUIRED'
    const refused: unknown = await orders.captureOrder({ id }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ statusCode: 422, result: { details: [{ issue }] } })
  })

  it('gets no token for a wrong secret', async () => {
    const orders = new OrdersController(client('E'.padEnd(80, 'n')))
    await expect(orders.getOrder({ id: '5O190127TN364715T' })).rejects.toMatchObject({ statusCode: 401 })
  })
})

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }).addSchema(SCHEMAS))

/** Expects an object to have the form that PayPal documents. */
function expectForm(name: keyof typeof SCHEMAS.$defs, value: unknown): void {
  const isValid = ajv.validate(`paypal#/$defs/${name}`, value)
  expect([isValid, ajv.errors, value]).toEqual([true, null, value])
}

describe("PayPal's schemas", () => {
  it('have the requests of the adapter', async () => {
    const forms = { orders: 'orderRequest', capture: 'captureRequest', refund: 'refundRequest' } as const
    const seen = new Set<string>()
    const fetch = async (request: Request) => {
      const form = Object.entries(forms).find(([end]) => request.url.endsWith(`/${end}`))?.[1]
      const body = await request.clone().text()
      if (form && body !== '{}') {
        expectForm(form, JSON.parse(body))
        seen.add(form)
      }
      return fake.handle(request)
    }
    const psp = paypal.open({ fetch, mode: 'live', credentials: CREDENTIALS })
    for (const changes of [
      {},
      { capture: 'manual' as const, language: 'zh-TW', description: 'é'.repeat(400) },
    ]) {
      const job = crypto.randomUUID()
      const made = await psp.announce(paymentRequestOf(job, changes), patience)
      if (made.is !== 'announced') throw new Error(made.message)
      fake.bring(job, 'paid')
      await psp.confirm?.(made.reference, {
        currency: 'EUR',
        ...('capture' in changes ? { capture: 'manual' } : {}),
      })
      const payment = { job, reference: made.reference, payment: null }
      if ('capture' in changes) expect(await psp.capture(payment, wish(500))).toMatchObject({ is: 'taken' })
      expect(await psp.refund(payment, wish(200))).toMatchObject({ is: 'taken' })
    }
    expect([...seen].toSorted()).toEqual(Object.values(forms).toSorted())
  })

  it('have the answers of the double', async () => {
    const { job, id, orders } = await approved(CheckoutPaymentIntent.Capture)
    const held = fake.of(job)
    expectForm('order', orderJson(held, false))
    expectForm('order', orderJson(held, true))
    await orders.captureOrder({ id })
    const [capture] = held.captures
    if (!capture) throw new Error('nothing was captured')
    Object.assign(capture, { status: 'REFUNDED', reason: 'CHARGEBACK', invoiceId: 'i' })
    const { isFinal: _, ...other } = capture
    held.refunds.push({ ...other, status: 'PENDING', reason: 'ECHECK', of: capture.id, customId: 'c' })
    held.authorizations.push({ ...other, status: 'PENDING', reason: 'PENDING_REVIEW' })
    expectForm('order', orderJson(held, true))
    expectForm('problem', await unprocessable('ORDER_NOT_APPROVED').json())
  })

  it('have no other statuses than the hub knows', () => {
    const words = (name: 'capture' | 'refund' | 'authorization' | 'order') =>
      SCHEMAS.$defs[name].properties.status.enum.toSorted()
    expect(words('order')).toEqual(Object.keys(STATUSES).toSorted())
    expect(words('capture')).toEqual(Object.keys(CAPTURE_STATUSES).toSorted())
    expect(words('refund')).toEqual(Object.keys(REFUND_STATUSES).toSorted())
    expect(words('authorization')).toEqual(Object.keys(AUTHORIZATION_STATUSES).toSorted())
  })
})
