import http from 'node:http'
import https from 'node:https'
import { CheckoutAPI, Client, EnvironmentEnum } from '@adyen/api-library'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adyen } from '../../../src/psp/adyen/adapter.ts'
import { RESERVES } from '../../../src/psp/adyen/tables.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import { patience, paymentRequestOf } from '../scripted.ts'
import { serve } from './serve.ts'

const fake = adyenFake()
const [SHOP, OTHER] = fake.accounts as [Account, Account]
type Account = { apiKey: string; merchantAccount: string; hmacKey: string }

let server: Awaited<ReturnType<typeof serve>>
/**
 * Holds the next requests until there are this many, and then handles them at the same time.
 */
let together = 1
const held: (() => void)[] = []

beforeAll(async () => {
  server = await serve(async (request) => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
      if (held.length < together) return
      together = 1
      for (const release of held.splice(0)) release()
    })
    return fake.handle(request)
  })
  const { port } = new URL(server.url)
  // The official client speaks only https to Adyen's host. Everything else of it is as published.
  vi.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) =>
    http.request({ ...options, protocol: 'http:', hostname: '127.0.0.1', port, agent: undefined })) as never)
})

afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

function checkoutOf({ apiKey }: Account) {
  return new CheckoutAPI(new Client({ apiKey, environment: EnvironmentEnum.TEST }))
}
function clientOf(account: Account) {
  return checkoutOf(account).PaymentLinksApi
}
function shop() {
  return clientOf(SHOP)
}

/** The reference of a payment, as in the webhook of its authorisation. */
async function pspReferenceOf(job: string): Promise<string> {
  const [sent] = await fake.notify(job, Date.now())
  const { notificationItems } = JSON.parse(sent?.body ?? '') as {
    notificationItems: { NotificationRequestItem: { pspReference: string } }[]
  }
  return notificationItems[0]?.NotificationRequestItem.pspReference ?? ''
}

function link(changes: object = {}) {
  return {
    merchantAccount: SHOP.merchantAccount,
    reference: crypto.randomUUID(),
    amount: { currency: 'EUR', value: 1250 },
    returnUrl: 'https://hub.shop-payments.com/return/1',
    description: 'A-7',
    shopperLocale: 'nl-NL',
    allowedPaymentMethods: ['ideal'],
    ...changes,
  }
}

describe('the official client, at the simulator', () => {
  it('creates a payment link that is active for a day, and reads it back', async () => {
    const asked = link()
    const made = await shop().paymentLinks(asked)
    expect(made).toMatchObject({ ...asked, id: expect.stringMatching(/^PL\w+$/), status: 'active' })
    expect(new Date(made.expiresAt ?? 0).getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    expect(await shop().getPaymentLink(made.id)).toEqual(made)
  })

  it('makes a link expire once, and is refused after that', async () => {
    const { id } = await shop().paymentLinks(link())
    const expire = () => shop().updatePaymentLink(id, { status: 'expired' as never })
    expect(await expire()).toMatchObject({ id, status: 'expired' })
    await expect(expire()).rejects.toMatchObject({ statusCode: 422 })
  })

  it('sees a payment completed', async () => {
    const asked = link()
    const { id } = await shop().paymentLinks(asked)
    fake.bring(asked.reference, 'paid')
    expect(await shop().getPaymentLink(id)).toMatchObject({ id, status: 'completed' })
    expect(() => fake.bring(asked.reference, 'expired')).toThrow('completed already')
  })

  it('gets the first answer again for the same idempotency key, and another link without one', async () => {
    const asked = link()
    const idempotencyKey = asked.reference
    const first = await shop().paymentLinks(asked, { idempotencyKey })
    expect(await shop().paymentLinks(asked, { idempotencyKey })).toEqual(first)
    expect((await shop().paymentLinks(asked)).id).not.toBe(first.id)
  })

  it('sees that the same request is in progress', async () => {
    const asked = link()
    const create = () => shop().paymentLinks(asked, { idempotencyKey: asked.reference })
    together = 3
    const answers = await Promise.allSettled([create(), create(), create()])
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const { reason } of refused) expect(reason).toMatchObject({ statusCode: 409, errorCode: '704' })
    expect(await create()).toMatchObject({ reference: asked.reference })
  })

  it.each([
    ['an unknown key', { ...SHOP, apiKey: 'AQE0' }, {}, 401, '000'],
    ['another account', SHOP, { merchantAccount: OTHER.merchantAccount }, 403, '901'],
    ['a description too long', SHOP, { description: 'x'.repeat(281) }, 422, '14_007'],
    ['an amount that is a text', SHOP, { amount: { currency: 'EUR', value: '12.50' } }, 422, '14_007'],
    ['no reference', SHOP, { reference: undefined }, 422, '14_006'],
    ['Klarna without lines', SHOP, { allowedPaymentMethods: ['klarna'] }, 422, '14_006'],
  ])('is refused with %s', async (_, account, changes, statusCode, errorCode) => {
    const asked = link(changes) as never
    await expect(clientOf(account).paymentLinks(asked)).rejects.toMatchObject({ statusCode, errorCode })
  })

  it('sees a payment under way that takes days, and does not stop it', async () => {
    const asked = link()
    const { id } = await shop().paymentLinks(asked)
    fake.begin(asked.reference)
    expect(await shop().getPaymentLink(id)).toMatchObject({ status: 'paymentPending' })
    const expire = shop().updatePaymentLink(id, { status: 'expired' as never })
    await expect(expire).rejects.toMatchObject({ statusCode: 422 })
    fake.bring(asked.reference, 'paid')
    expect(await shop().getPaymentLink(id)).toMatchObject({ status: 'completed' })
  })

  it('requests a refund once, however often, and is refused one without a payment', async () => {
    const asked = link()
    await shop().paymentLinks(asked)
    fake.bring(asked.reference, 'paid')
    const payment = await pspReferenceOf(asked.reference)
    const refund = (to: string, idempotencyKey: string) =>
      checkoutOf(SHOP).ModificationsApi.refundCapturedPayment(
        to,
        { merchantAccount: SHOP.merchantAccount, amount: { currency: 'EUR', value: 500 }, reference: 'R-1' },
        { idempotencyKey },
      )
    const taken = await refund(payment, 'key-1')
    expect(taken).toMatchObject({ paymentPspReference: payment, reference: 'R-1', status: 'received' })
    expect(await refund(payment, 'key-1')).toEqual(taken)
    expect((await refund(payment, 'key-2')).pspReference).not.toBe(taken.pspReference)
    await expect(refund('QF0', 'key-3')).rejects.toMatchObject({ statusCode: 422, errorCode: '167' })
    await expect(refund(payment, 'k'.repeat(65))).rejects.toMatchObject({ statusCode: 422 })
  })

  it('requests a capture and a cancellation once each, however often, and only of authorised money', async () => {
    const asked = link({ manualCapture: true, allowedPaymentMethods: ['scheme'] })
    const { id } = await shop().paymentLinks(asked)
    fake.bring(asked.reference, 'paid')
    expect(await shop().getPaymentLink(id)).toMatchObject({ status: 'completed', manualCapture: true })
    const payment = await pspReferenceOf(asked.reference)
    const { merchantAccount, amount } = asked
    const { ModificationsApi } = checkoutOf(SHOP)
    const capture = (to: string, changes: object = {}) =>
      ModificationsApi.captureAuthorisedPayment(
        to,
        { merchantAccount, amount, reference: 'C-1', ...changes },
        { idempotencyKey: `capture-${asked.reference}` },
      )
    const cancel = (to: string) =>
      ModificationsApi.cancelAuthorisedPaymentByPspReference(
        to,
        { merchantAccount, reference: 'X-1' },
        { idempotencyKey: `cancel-${asked.reference}` },
      )
    const captured = await capture(payment)
    expect(captured).toMatchObject({
      paymentPspReference: payment,
      reference: 'C-1',
      status: 'received',
      amount,
    })
    expect(await capture(payment)).toEqual(captured)
    const cancelled = await cancel(payment)
    expect(cancelled).toMatchObject({ paymentPspReference: payment, reference: 'X-1', status: 'received' })
    expect(await cancel(payment)).toEqual(cancelled)
    expect([fake.captures(), fake.cancels()].map((made) => made.length)).toEqual([1, 1])
    await expect(capture('QF0')).rejects.toMatchObject({ statusCode: 409 })
    await expect(capture(payment, { amount: { currency: 'EUR', value: 1 } })).rejects.toMatchObject({
      statusCode: 409,
    })
    const without = ModificationsApi.captureAuthorisedPayment(payment, { merchantAccount } as never)
    await expect(without).rejects.toMatchObject({ statusCode: 422, errorCode: '14_006' })
    const unknown = ModificationsApi.cancelAuthorisedPaymentByPspReference('QF0', { merchantAccount })
    await expect(unknown).rejects.toMatchObject({ statusCode: 422, errorCode: '167' })
  })

  it('does not find the link of another account', async () => {
    const { id } = await shop().paymentLinks(link())
    await expect(clientOf(OTHER).getPaymentLink(id)).rejects.toMatchObject({ statusCode: 404 })
  })
})

describe('the adapter, at the same simulator', () => {
  const open = (changes: object = {}) =>
    adyen.open({
      mode: 'live',
      endpoint: `${server.url}/v71`,
      credentials: { ...SHOP, ...changes },
      fetch: (request) => fetch(request),
    })
  const requestOf = (changes: Partial<PaymentRequest> = {}) => paymentRequestOf(crypto.randomUUID(), changes)
  const announce = async (order: PaymentRequest) => {
    const answer = await open().announce(order, patience)
    if (answer.is !== 'announced' || answer.way !== 'page') throw new Error(JSON.stringify(answer))
    return answer
  }

  it('announces what the official client then finds', async () => {
    const order = requestOf()
    const { reference, checkoutUrl, expiresAt } = await announce(order)
    const found = await shop().getPaymentLink(reference)
    expect(found).toMatchObject({
      ...link({ reference: order.job, returnUrl: order.returnUrl }),
      status: 'active',
    })
    expect([found.url, new Date(found.expiresAt ?? 0).getTime()]).toEqual([checkoutUrl, expiresAt])
  })

  it.each([...RESERVES.days.keys()])('reserves money by %s', async (paymentMethod) => {
    const { reference } = await announce(requestOf({ paymentMethod, capture: 'manual' }))
    const found = await shop().getPaymentLink(reference)
    expect(found).toMatchObject({ manualCapture: true })
    expect(found.captureDelayHours).toBeUndefined()
  })

  it.each(['klarna', 'riverty', 'creditcard', 'anything'])('is not refused for %s', async (paymentMethod) => {
    expect(await announce(requestOf({ paymentMethod }))).toMatchObject({ is: 'announced' })
  })

  it('announces a job once, however often and at the same time', async () => {
    const order = requestOf()
    together = 3
    const answers = await Promise.all([announce(order), announce(order), announce(order)])
    expect(new Set(answers.map(({ reference }) => reference)).size).toBe(1)
  })
})
