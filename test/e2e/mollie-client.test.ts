import { createHmac } from 'node:crypto'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { Locale, MollieApiError, PaymentMethod, createMollieClient } from '@mollie/api-client'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

/** The sandbox proves itself before Mollie's own client, over the network. */
const hub = inject('hub')
beforeAll(() => {
  // The client speaks https only, a local hub http: the client's connections are made without TLS.
  vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(() =>
    connect(Number(new URL(hub.url).port), '127.0.0.1'),
  )
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** As `src/psp/sandbox/access.ts` derives it. */
function apiKeyOf(root: string | undefined): string {
  return `test_${createHmac('sha256', String(root)).update('sandbox-api-key').digest('hex').slice(0, 32)}`
}

function client(apiKey = apiKeyOf(hub.secrets['SIGNING_ROOT'])) {
  return createMollieClient({ apiKey, apiEndpoint: `${hub.url.replace('http:', 'https:')}/sandbox/v2/` })
}

const wanted = {
  amount: { currency: 'EUR', value: '12.50' },
  description: 'Order A-7',
  redirectUrl: 'https://shop.nl/thanks?order=7',
  cancelUrl: 'https://shop.nl/cancelled',
  method: PaymentMethod.ideal,
  locale: Locale.nl_NL,
  metadata: { order: 7 },
}

/** The error that the client throws; anything else is a failure of the test. */
async function errorOf(call: Promise<unknown>): Promise<MollieApiError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (error instanceof MollieApiError) return error
  throw error
}

describe("Mollie's own client", () => {
  it('creates a payment and reads it again', async () => {
    const { payments } = client()
    const created = await payments.create(wanted)
    expect(created).toMatchObject({ ...wanted, resource: 'payment', mode: 'test', status: 'open' })
    expect(created.id).toMatch(/^tr_\w+$/)
    expect(created.isCancelable).toBe(true)
    expect(Date.parse(String(created.expiresAt)) - Date.parse(created.createdAt)).toBe(15 * 60_000)
    expect(created.getCheckoutUrl()).toBe(`${hub.url}/sandbox/checkout/${created.id}`)
    expect(await payments.get(created.id)).toEqual(created)
  })

  it('cancels a payment, once', async () => {
    const { payments } = client()
    const { id } = await payments.create(wanted)
    expect(await payments.cancel(id)).toMatchObject({ id, status: 'canceled' })
    expect(await payments.get(id)).toMatchObject({ status: 'canceled', canceledAt: expect.any(String) })
    expect(await errorOf(payments.cancel(id))).toMatchObject({
      statusCode: 422,
      message: 'The payment cannot be canceled',
    })
  })

  it.each([
    ['amount', { amount: { currency: 'EUR', value: '0.00' } }],
    ['amount.currency', { amount: { currency: 'XXX', value: '1.00' } }],
    ['description', { description: '' }],
    ['redirectUrl', { redirectUrl: 'shop.nl/thanks' }],
    ['webhookUrl', { webhookUrl: 'ftp://shop.nl/' }],
  ])('is told that %s is wrong', async (field, changes) => {
    const error = await errorOf(client().payments.create({ ...wanted, ...changes }))
    expect(error).toMatchObject({ field, statusCode: 422 })
    expect(error.message).toContain(field)
  })

  it('is told that a payment does not exist', async () => {
    const error = await errorOf(client().payments.get('tr_00000000000000000000'))
    expect(error).toMatchObject({ statusCode: 404 })
    expect(error.message).toContain('tr_00000000000000000000')
  })

  it('is not let in with another key', async () => {
    const { payments } = client(apiKeyOf('another root'))
    expect(await errorOf(payments.create(wanted))).toMatchObject({ statusCode: 401 })
  })

  it('makes one payment of one idempotency key, and may not change it', async () => {
    const { payments } = client()
    const idempotencyKey = 'order-7'
    const first = await payments.create({ ...wanted, idempotencyKey })
    const again = await payments.create({ ...wanted, idempotencyKey })
    expect(again.id).toBe(first.id)
    expect((await payments.create(wanted)).id).not.toBe(first.id)
    const other = payments.create({ ...wanted, description: 'Order A-8', idempotencyKey })
    expect(await errorOf(other)).toMatchObject({ statusCode: 400, idempotencyKey })
  })

  it('sees the payment paid once the form behind its checkout link has been sent', async () => {
    const { payments } = client()
    const payment = await payments.create(wanted)
    const checkout = String(payment.getCheckoutUrl())
    const html = await (await fetch(checkout)).text()
    const [, name = '', value = ''] = /<button name="(\w+)" value="(paid)"/.exec(html) ?? []
    const body = new URLSearchParams({ [name]: value })
    const answer = await fetch(checkout, { method: 'POST', body, redirect: 'manual' })
    expect(answer.headers.get('location')).toBe(wanted.redirectUrl)
    const paid = await payments.get(payment.id)
    expect(paid).toMatchObject({ status: 'paid', amount: wanted.amount, paidAt: expect.any(String) })
    expect(paid.getCheckoutUrl()).toBeNull()
  })
})
