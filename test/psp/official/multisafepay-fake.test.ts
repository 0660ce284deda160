import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import {
  CANCEL_ORDER,
  CANCEL_RESERVATION,
  CLOUD_CANCELLED,
  CLOUD_CREATED,
  CLOUD_DETAILS,
  CLOUD_ORDER,
  DOCUMENTED,
  FULL_CAPTURE,
  IDEAL_REDIRECT,
  LISTED_TERMINAL,
  PARTIAL_CAPTURE,
  PAYMENT_PAGE,
  REFUND_ORDER,
  REFUND_TAKEN,
  RELATED_TRANSACTION,
} from '../../support/psps/multisafepay-documented.ts'
import { serve } from './serve.ts'

let fake = multisafepayFake()
let server: Awaited<ReturnType<typeof serve>>
const [{ apiKey }, { apiKey: otherKey }] = fake.accounts as readonly [{ apiKey: string }, { apiKey: string }]

beforeAll(async () => {
  server = await serve((request) => fake.handle(request))
})
beforeEach(() => {
  fake = multisafepayFake()
})
afterAll(() => server.stop())

/**
 * A request in the form of MultiSafepay's clients: https://github.com/MultiSafepay/php-sdk,
 * src/Client/Client.php
 */
async function ask(method: string, path: string, body?: object, key = apiKey) {
  const response = await fetch(`${server.url}/v1/json${path}`, {
    method,
    headers: { api_key: key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

type Shown = { related_transactions: object[] | null; [member: string]: unknown }

describe("the fake of these tests answers as MultiSafepay's documentation says", () => {
  it.each([
    ['the payment page', PAYMENT_PAGE],
    ['an iDEAL redirect', IDEAL_REDIRECT],
  ])('to their example of %s', async (_, example) => {
    expect(await ask('POST', '/orders', example)).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          order_id: 'my-order-id-1',
          payment_url: expect.stringMatching(
            /^https:\/\/payv2\.multisafepay\.com\/connect\/\w+\/\?lang=\w\w_\w\w$/,
          ),
          session_id: expect.stringMatching(/^\w+$/),
        },
      },
    })
  })

  it('to the same order again, and to another one under its id', async () => {
    const first = await ask('POST', '/orders', IDEAL_REDIRECT)
    expect(await ask('POST', '/orders', IDEAL_REDIRECT)).toEqual(first)
    expect((await ask('POST', '/orders', PAYMENT_PAGE)).body).toMatchObject({
      success: false,
      error_code: 1006,
    })
    fake.bring('my-order-id-1', 'paid')
    expect((await ask('POST', '/orders', IDEAL_REDIRECT)).body).toMatchObject({
      success: false,
      error_code: 1006,
    })
  })

  it('to a request for an order, with the members and types of their example', async () => {
    await ask('POST', '/orders', IDEAL_REDIRECT)
    const shown = (await ask('GET', '/orders/my-order-id-1')).body['data'] as Record<string, unknown>
    expect(shown).toMatchObject({ status: 'initialized', financial_status: 'initialized', amount: 1000 })
    fake.bring('my-order-id-1', 'paid')
    const example = JSON.parse(DOCUMENTED.body) as Record<string, unknown>
    for (const [name, value] of Object.entries(example)) {
      expect(Object.keys(shown)).toContain(name)
      if (
        value !== null &&
        typeof value !== 'object' &&
        name !== 'transaction_id' &&
        name !== 'reason_code'
      ) {
        expect(typeof shown[name], name).toBe(typeof value)
      }
    }
    expect(await ask('GET', '/orders/my-order-id-1')).toMatchObject({
      body: { success: true, data: { status: 'completed', financial_status: 'completed' } },
    })
  })

  it('to their example of a cancellation, but not for a paid order', async () => {
    await ask('POST', '/orders', IDEAL_REDIRECT)
    expect(await ask('PATCH', '/orders/my-order-id-1', CANCEL_ORDER)).toEqual({
      status: 200,
      body: { success: true, data: {} },
    })
    expect(await ask('GET', '/orders/my-order-id-1')).toMatchObject({
      body: { data: { status: 'cancelled' } },
    })
    expect(await ask('PATCH', '/orders/my-order-id-1', CANCEL_ORDER)).toMatchObject({
      status: 410,
      body: { success: false },
    })
  })

  it('to their example of a refund, which the order then shows', async () => {
    await ask('POST', '/orders', IDEAL_REDIRECT)
    const refund = () => ask('POST', '/orders/my-order-id-1/refunds', REFUND_ORDER)
    expect((await refund()).body).toMatchObject({ success: false, error_code: 1001 })
    fake.bring('my-order-id-1', 'paid')
    const { data, ...rest } = (await refund()).body
    expect(rest).toEqual({ success: true })
    expect(Object.keys(data as object).toSorted()).toEqual(Object.keys(REFUND_TAKEN.data).toSorted())
    const shown = async () => (await ask('GET', '/orders/my-order-id-1')).body['data'] as Shown
    const { related_transactions: list } = await shown()
    expect(list).toHaveLength(1)
    expect(Object.keys(list?.[0] ?? {}).toSorted()).toEqual(Object.keys(RELATED_TRANSACTION).toSorted())
    expect(await shown()).toMatchObject({ status: 'completed', amount_refunded: 0 })
    fake.endRefund('my-order-id-1', 'refund-order-id-1234', 'completed')
    expect(await shown()).toMatchObject({ status: 'partial_refunded', amount_refunded: 500 })
    const { refund_order_id: _, amount: __, ...whole } = REFUND_ORDER
    await ask('POST', '/orders/my-order-id-1/refunds', { ...whole, refund_order_id: 'R-2' })
    fake.endRefund('my-order-id-1', 'R-2', 'completed')
    expect(await shown()).toMatchObject({ status: 'refunded', amount_refunded: 1000 })
    expect((await refund()).body).toMatchObject({ success: false })
  })

  /** An order by card, as in openapi/components/schemas/orders/CreditCard.yaml. */
  const CARD = { ...PAYMENT_PAGE, gateway: 'MASTERCARD', capture: 'manual', amount: 5000 }
  const ID = 'my-order-id-1'
  const orderOf = async (id: string) => (await ask('GET', `/orders/${id}`)).body['data'] as Shown

  /**
   * "Statuses" of https://docs.multisafepay.com/docs/manual-capture, and the members of
   * `TransactionResponse/PaymentDetails.php` and `CaptureRequest.php` of MultiSafepay's php-sdk.
   */
  it('to their examples of a capture, each part of which is an order of its own', async () => {
    await ask('POST', '/orders', CARD)
    const capture = (body: object) => ask('POST', `/orders/${ID}/capture`, body)
    expect((await capture(PARTIAL_CAPTURE)).body).toMatchObject({ success: false })
    fake.bring(ID, 'paid')
    const held = { status: 'completed', financial_status: 'initialized' }
    const details = { capture: 'manual', capture_remain: 5000, type: 'MASTERCARD' }
    expect(await orderOf(ID)).toMatchObject({ ...held, payment_details: details })
    expect((await ask('POST', `/orders/${ID}/refunds`, REFUND_ORDER)).body).toMatchObject({
      error_code: 1001,
    })
    expect((await capture(PARTIAL_CAPTURE)).body).toEqual({
      success: true,
      data: { transaction_id: expect.any(Number), order_id: 'my-order-id-01' },
    })
    expect((await capture(PARTIAL_CAPTURE)).body).toMatchObject({ error_code: 1006 })
    expect((await capture({ ...PARTIAL_CAPTURE, new_order_id: 'R', amount: 3001 })).body).toMatchObject({
      error_code: 1001,
    })
    const related = [{ type: 'capture', status: 'completed', amount: 2000, order_id: 'my-order-id-01' }]
    expect(await orderOf(ID)).toMatchObject({
      ...held,
      payment_details: { capture_remain: 3000 },
      related_transactions: related,
    })
    expect(await orderOf('my-order-id-01')).toMatchObject({
      status: 'completed',
      financial_status: 'completed',
      amount: 2000,
      related_transactions: null,
    })
    const refunded = await ask('POST', '/orders/my-order-id-01/refunds', REFUND_ORDER)
    expect(refunded.body).toMatchObject({ success: true })
    expect(await orderOf(ID)).toMatchObject({ related_transactions: related })
  })

  it('to their example of a full capture, once it has the amount that they require', async () => {
    await ask('POST', '/orders', CARD)
    fake.bring(ID, 'paid')
    expect((await ask('POST', `/orders/${ID}/capture`, FULL_CAPTURE)).body).toMatchObject({
      error_code: 1016,
    })
    const whole = { ...FULL_CAPTURE, amount: 5000 }
    expect((await ask('POST', `/orders/${ID}/capture`, whole)).body).toMatchObject({ data: { order_id: ID } })
    const captured = {
      status: 'completed',
      financial_status: 'completed',
      payment_details: { capture_remain: 0 },
    }
    expect(await orderOf(ID)).toMatchObject(captured)
    expect((await ask('POST', `/orders/${ID}/capture`, whole)).body).toMatchObject({ success: false })
    expect((await ask('PATCH', `/capture/${ID}`, CANCEL_RESERVATION)).body).toMatchObject({ success: false })
  })

  it('to their example of a reservation that is cancelled, which then is void', async () => {
    await ask('POST', '/orders', CARD)
    fake.bring(ID, 'paid')
    const { reason: _, ...unreasoned } = CANCEL_RESERVATION
    const cancel = (body: object) => ask('PATCH', `/capture/${ID}`, body)
    expect((await cancel(unreasoned)).body).toMatchObject({ success: false })
    expect(await cancel(CANCEL_RESERVATION)).toEqual({
      status: 200,
      body: { success: true, data: { transaction_id: expect.any(Number), order_id: ID, success: true } },
    })
    expect(await orderOf(ID)).toMatchObject({
      status: 'void',
      financial_status: 'void',
      related_transactions: [{ type: 'auth-cancellation', status: 'void', amount: 5000 }],
    })
    expect((await cancel(CANCEL_RESERVATION)).body).toMatchObject({ success: false })
    expect((await ask('POST', `/orders/${ID}/capture`, PARTIAL_CAPTURE)).body).toMatchObject({
      success: false,
    })
  })

  it('to an initialized bank transfer, and to a Multibanco payment that cannot be cancelled', async () => {
    await ask('POST', '/orders', IDEAL_REDIRECT)
    fake.begin('my-order-id-1', 'MULTIBANCO')
    const shown = { status: 'initialized', payment_details: { type: 'MULTIBANCO' } }
    expect(await ask('GET', '/orders/my-order-id-1')).toMatchObject({ body: { data: shown } })
    expect(await ask('PATCH', '/orders/my-order-id-1', CANCEL_ORDER)).toMatchObject({ status: 410 })
  })

  const { terminalKey } = fake.accounts[0] as { terminalKey: string }
  const cloud = (path: string, body?: object) =>
    ask(body || path.endsWith('/cancel') ? 'POST' : 'GET', path, body, terminalKey)
  const cancel = (id: string) => cloud(`/orders/${id}/cancel`)

  /** openapi/components/responseBody/postCloudPayment.yaml and responses/terminalCloudModeResponse.json */
  it('to an order for a terminal, which is busy with it until that is completed or cancelled', async () => {
    const { status, body } = await cloud('/orders', CLOUD_ORDER)
    expect([status, body['success']]).toEqual([200, true])
    expect(Object.keys(body['data'] as object).toSorted()).toEqual(Object.keys(CLOUD_CREATED.data).toSorted())
    const other = { ...CLOUD_ORDER, order_id: 'my-order-id-2' }
    expect((await cloud('/orders', other)).body).toMatchObject({ success: false })
    fake.declineAtTerminal('my-order-id-1')
    expect((await cloud('/orders/my-order-id-1')).body).toMatchObject({ data: { status: 'declined' } })
    expect((await cloud('/orders', other)).body).toMatchObject({ success: false })
    fake.payAtTerminal('my-order-id-1', 208)
    const shown = (await cloud('/orders/my-order-id-1')).body['data'] as Shown
    expect(shown).toMatchObject({ status: 'completed', financial_status: 'completed', amount: 1208 })
    const details = shown['payment_details'] as Record<string, unknown>
    for (const name of Object.keys(details)) expect(Object.keys(CLOUD_DETAILS)).toContain(name)
    expect(details).toMatchObject({ type: 'VISA', last4: '1234', card_entry_mode: 'ICC_CONTACTLESS' })
    expect((await cloud('/orders', other)).body).toMatchObject({ success: true })
  })

  it('to a cancellation of an order for a terminal, by POST and not by PATCH', async () => {
    await cloud('/orders', CLOUD_ORDER)
    fake.declineAtTerminal('my-order-id-1')
    const patched = await ask('PATCH', '/orders/my-order-id-1', CANCEL_ORDER, terminalKey)
    expect(patched.body).toMatchObject({ success: false })
    expect((await cloud('/orders/my-order-id-1')).body).toMatchObject({ data: { status: 'declined' } })
    const { data } = (await cancel('my-order-id-1')).body
    expect(Object.keys(data as object).toSorted()).toEqual(Object.keys(CLOUD_CANCELLED.data).toSorted())
    expect(data).toMatchObject({ status: 'cancelled', financial_status: null, payment_details: {} })
    expect((await cloud('/orders/my-order-id-1')).body).toMatchObject({ data: { status: 'cancelled' } })
    expect((await cancel('my-order-id-1')).body).toMatchObject({ success: false })
    await ask('POST', '/orders', { ...IDEAL_REDIRECT, order_id: 'page' })
    expect((await ask('POST', '/orders/page/cancel')).body).toMatchObject({ success: false })
  })

  it('to a request for terminals with the key of their group, with the members of its example', async () => {
    const { body } = await cloud('/terminals?page=1&limit=2')
    const [one] = body['data'] as object[]
    for (const name of Object.keys(one ?? {})) expect(Object.keys(LISTED_TERMINAL)).toContain(name)
    expect(body).toMatchObject({ success: true, pager: { total_items: 3 } })
    expect(body['data']).toHaveLength(2)
    expect(await ask('GET', '/terminals')).toMatchObject({ status: 403, body: { success: false } })
  })

  it.each([
    [{ amount: 0 }, 1001],
    [{ currency: 'GBP' }, 1002],
    [{ order_id: 'my.order' }, 1006],
    [{ order_id: 'x'.repeat(51) }, 1006],
    [{ description: 'x'.repeat(201) }, 1008],
    [{ gateway: undefined }, 1023],
    [{ gateway_info: {} }, 1016],
    [{ gateway_info: { terminal_id: '00000LQT' } }, 1016],
    [{ payment_options: { redirect_url: 'https://hub.test/' } }, 1016],
    [{ surprise: true }, 1016],
  ])('to an order for a terminal with %j', async (changes, code) => {
    expect((await cloud('/orders', { ...CLOUD_ORDER, ...changes })).body).toMatchObject({
      success: false,
      error_code: code,
    })
  })

  it('to an order for a terminal with the key of a website', async () => {
    expect((await ask('POST', '/orders', CLOUD_ORDER)).body).toMatchObject({ success: false })
  })

  it.each([
    ['no key', { key: 'none' }, 401, 1032],
    ['an order that does not exist', { path: '/orders/my-order-id-2' }, 404, 1006],
    ['an order of another website', { key: otherKey }, 404, 1006],
  ])(
    'to %s',
    async (
      _,
      { path = '/orders/my-order-id-1', key = apiKey }: { path?: string; key?: string },
      status,
      code,
    ) => {
      await ask('POST', '/orders', IDEAL_REDIRECT)
      expect(await ask('GET', path, undefined, key)).toMatchObject({
        status,
        body: { success: false, data: {}, error_code: code, error_info: expect.any(String) },
      })
    },
  )

  it.each([
    [{ amount: 12.5 }, 1001],
    [{ amount: '1000' }, 1001],
    [{ currency: 'EURO' }, 1002],
    [{ order_id: 'x'.repeat(51) }, 1006],
    [{ description: 'x'.repeat(201) }, 1008],
    [{ gateway: 'PIN' }, 1023],
    [{ gateway: 'KLARNA' }, 5001],
    [{ customer: { locale: 'nl' } }, 1016],
    [{ payment_options: { notification_url: `https://hub.test/${'x'.repeat(150)}` } }, 1016],
    [{ seconds_active: 0 }, 1016],
    [{ surprise: true }, 1016],
    [{ capture: 'automatic', gateway: 'VISA' }, 1016],
    [{ capture: 'manual' }, 1016],
  ])('to an order with %j', async (changes, code) => {
    expect((await ask('POST', '/orders', { ...IDEAL_REDIRECT, ...changes })).body).toMatchObject({
      success: false,
      error_code: code,
    })
  })
})
