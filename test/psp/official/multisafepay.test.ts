import { createHmac, timingSafeEqual } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay.ts'
import type { Charge, Notification } from '../../../src/psp/port.ts'
import { multisafepayFake } from '../fakes/multisafepay.ts'
import { CANCEL_ORDER, DOCUMENTED, IDEAL_REDIRECT, PAYMENT_PAGE } from './multisafepay-documented.ts'
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

/** One request as MultiSafepay's clients make it: https://github.com/MultiSafepay/php-sdk, src/Client/Client.php */
const ask = async (method: string, path: string, body?: object, key = apiKey) => {
  const response = await fetch(`${server.url}/v1/json${path}`, {
    method,
    headers: { api_key: key, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/**
 * `Notification::verifyNotification` of MultiSafepay's php-sdk (src/Util/Notification.php, c467313), line by line. A
 * validation time of 0 leaves the time out. `at` is in seconds.
 */
const verifyNotification = (
  request: string,
  auth: string,
  key: string,
  validationTime: number,
  at: number,
) => {
  const decoded = Buffer.from(auth, 'base64').toString('latin1')
  const [timestamp = '', sha512hexPayload = ''] = decoded.split(':')
  if (validationTime > 0 && Number.parseInt(timestamp, 10) + validationTime < at) return false
  const hash = createHmac('sha512', key.trim()).update(`${timestamp}:${request}`).digest('hex')
  return (
    hash.length === sha512hexPayload.length &&
    timingSafeEqual(Buffer.from(hash), Buffer.from(sha512hexPayload))
  )
}

const signed = (body: string, timestamp: number, key: string) => {
  const hash = createHmac('sha512', key).update(`${timestamp}:${body}`).digest('hex')
  return Buffer.from(`${timestamp}:${hash}`).toString('base64')
}

describe("the fake of these tests answers as MultiSafepay's documents say", () => {
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

  it('to the same order once more, and to another one under its id', async () => {
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

  it('to a question for an order, with members and types of their example', async () => {
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

  it('to their example of a cancellation, and not of an order that is paid', async () => {
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

  it.each([
    ['no key', { key: 'none' }, 401, 1032],
    ['an order nobody made', { path: '/orders/my-order-id-2' }, 404, 1006],
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
  ])('to an order with %j', async (changes, code) => {
    expect((await ask('POST', '/orders', { ...IDEAL_REDIRECT, ...changes })).body).toMatchObject({
      success: false,
      error_code: code,
    })
  })
})

const JOB = '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f'
const charge: Charge = {
  job: JOB,
  currency: 'EUR',
  amount: 1250,
  description: 'Café №7',
  paymentMethod: 'bancontact',
  language: 'fr-BE',
  returnUrl: `https://hub.shop-payments.com/return/${JOB}`,
  cancelUrl: `https://hub.shop-payments.com/return/${JOB}?cancelled=1`,
  notificationUrl: `https://hub.shop-payments.com/notifications/acc_1/${JOB}`,
}
const adapter = (key = apiKey) =>
  multisafepay.open({
    fetch: (request) => fetch(request),
    mode: 'live',
    credentials: { apiKey: key },
    endpoint: `${server.url}/v1/json`,
  })

describe('the adapter, over the network', () => {
  it('checks its key', async () => {
    expect(await adapter().check()).toEqual({ is: 'working' })
    expect(await adapter('no-such-key').check()).toEqual({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid API key (1032)',
    })
  })

  it('announces a payment, and once more with the same answer', async () => {
    const announced = await adapter().announce(charge)
    expect(announced).toMatchObject({
      is: 'announced',
      reference: JOB,
      checkoutUrl: expect.stringContaining('fr_BE'),
    })
    expect(await adapter().announce(charge)).toEqual(announced)
    expect(await adapter().pull(JOB, 'EUR')).toMatchObject({ status: 'PENDING', paid: 0 })
  })

  it.each(['paid', 'failed', 'cancelled', 'expired'] as const)(
    'sees that it is %s, announced again or not',
    async (outcome) => {
      await adapter().announce(charge)
      fake.bring(JOB, outcome)
      const status = { paid: 'SUCCESS', failed: 'FAILURE', cancelled: 'CANCELLED', expired: 'EXPIRED' }[
        outcome
      ]
      const seen = { is: 'observed', status, paid: outcome === 'paid' ? 1250 : 0, expiresAt: null }
      expect(await adapter().pull(JOB, 'EUR')).toEqual(seen)
      expect(await adapter().stop?.(JOB, 'EUR')).toEqual(seen)
      expect(await adapter().announce(charge)).toMatchObject({
        is: 'announced',
        checkoutUrl: charge.returnUrl,
      })
    },
  )

  it('stops it, so that it can no longer be paid', async () => {
    await adapter().announce(charge)
    expect(await adapter().stop?.(JOB, 'EUR')).toMatchObject({ status: 'CANCELLED', paid: 0 })
    expect(() => fake.bring(JOB, 'paid')).toThrow('cancelled already')
  })

  it('does not know what nobody announced', async () => {
    expect(await adapter().pull(JOB, 'EUR')).toEqual({ is: 'unknown' })
    expect(await adapter().stop?.(JOB, 'EUR')).toEqual({ is: 'unknown' })
  })
})

describe('a notification', () => {
  const AT = 1_795_256_100
  const read = (auth: string, body: string, changes: Partial<Notification> = {}, key = apiKey) =>
    adapter(key).readNotification({
      job: JOB,
      headers: new Headers({ Auth: auth }),
      body,
      at: AT * 1000,
      ...changes,
    })
  const about = (job: string) => ({ is: 'about', payments: [{ job, reference: job, says: null }] })

  it("that MultiSafepay's documents show is believed by its signature", async () => {
    const { auth, body, key, timestamp } = DOCUMENTED
    expect(verifyNotification(body, auth, key, 0, 0)).toBe(true)
    const then = { job: 'my-order-id', at: timestamp * 1000 }
    expect(await read(auth, body, then, key)).toEqual(about('my-order-id'))
    expect(await read(auth, `${body}\n`, then, key)).toEqual({ is: 'unauthentic' })
    expect(await read(auth, body, { job: 'my-order-id' }, key)).toEqual({ is: 'unauthentic' })
  })

  it('of the fake verifies as the official library verifies, and the adapter believes it', async () => {
    await adapter().announce(charge)
    fake.bring(JOB, 'paid')
    const [sent] = await fake.notify(JOB, AT * 1000)
    if (!sent) throw new Error('MultiSafepay sent nothing')
    const { url, headers, body } = sent
    const auth = headers['auth'] ?? ''
    expect(url).toBe(`${charge.notificationUrl}?transactionid=${JOB}&timestamp=${AT}`)
    expect(verifyNotification(body, auth, apiKey, 600, AT)).toBe(true)
    expect(verifyNotification(body, auth, otherKey, 600, AT)).toBe(false)
    expect(await read(auth, body)).toEqual(about(JOB))
    expect(await read(auth, body, {}, otherKey)).toEqual({ is: 'unauthentic' })
  })

  it('is refused when any byte of its body, time or signature changed', async () => {
    const body = JSON.stringify({ order_id: JOB, description: 'Café №7' })
    const auth = signed(body, AT, apiKey)
    expect(await read(auth, body)).toEqual(about(JOB))
    const flipped = (text: string, place: number) =>
      text.slice(0, place) + (text[place] === 'A' ? 'B' : 'A') + text.slice(place + 1)
    for (const place of Array.from(body).keys()) {
      expect(await read(auth, flipped(body, place)), `body ${place}`).toEqual({ is: 'unauthentic' })
    }
    for (const place of Array.from(auth).keys()) {
      expect(await read(flipped(auth, place), body), `header ${place}`).toEqual({ is: 'unauthentic' })
    }
  })
})
