import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sandboxApiKey } from '../../src/psp/sandbox/access.ts'
import { ORIGIN, send } from '../support/hub.ts'
import { ask, checkoutOf, choose, get, make, newPayment } from './client.ts'

const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/
const UNKNOWN = 'tr_00000000000000000000'

describe('the API key of the sandbox', () => {
  it('has the form of a Mollie test key', async () => {
    expect(await sandboxApiKey(env)).toMatch(/^test_[0-9a-f]{32}$/)
  })

  it.each([
    ['no key', undefined],
    ['another key', 'Bearer test_00000000000000000000000000000000'],
    ['an empty key', 'Bearer '],
    ['another scheme', 'Basic dGVzdDp0ZXN0'],
  ])('lets nobody in with %s', async (_, authorization) => {
    const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) }
    const body = JSON.stringify(newPayment)
    const { id } = await make()
    const answers = await Promise.all([
      send('/sandbox/v2/payments', { method: 'POST', headers, body }),
      send(`/sandbox/v2/payments/${id}`, { headers }),
      send(`/sandbox/v2/payments/${id}`, { method: 'DELETE', headers }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toEqual({
        status: 401,
        title: 'Unauthorized Request',
        detail: 'Missing authentication, or failed to authenticate',
        _links: {},
      })
    }
    expect(await get(id)).toHaveProperty('status', 'open')
  })
})

describe('a new payment', () => {
  it('is shown as Mollie shows it, and leads to its checkout', async () => {
    const before = Date.now()
    const wanted = { ...newPayment, webhookUrl: 'https://shop.nl/webhook' }
    const answer = await ask('POST', '/payments', wanted)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('content-type')).toBe('application/hal+json')
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
    const payment = await answer.json<{ id: string; createdAt: string; expiresAt: string }>()
    const { id } = payment
    expect(payment).toEqual({
      resource: 'payment',
      mode: 'test',
      ...wanted,
      id: expect.stringMatching(/^tr_\w{20}$/),
      status: 'open',
      isCancelable: true,
      createdAt: expect.stringMatching(SECONDS),
      expiresAt: expect.stringMatching(SECONDS),
      profileId: 'pfl_sandbox',
      sequenceType: 'oneoff',
      _links: {
        self: { href: `${ORIGIN}/sandbox/v2/payments/${id}`, type: 'application/hal+json' },
        checkout: { href: checkoutOf(id), type: 'text/html' },
      },
    })
    expect(Date.parse(payment.createdAt)).toBeGreaterThan(before - 1000)
    expect(await get(id)).toEqual(payment)
  })

  it.each([
    ['ideal', 15],
    [undefined, 15],
    ['creditcard', 30],
    ['banktransfer', 12 * 24 * 60],
  ])('with method %s can be paid for %d minutes', async (method, minutes) => {
    const { createdAt, expiresAt } = await make({ method })
    expect(Date.parse(String(expiresAt)) - Date.parse(String(createdAt))).toBe(minutes * 60_000)
  })

  it('needs only an amount, a description and a way back', async () => {
    const { amount, description, redirectUrl } = newPayment
    const answer = await ask('POST', '/payments', { amount, description, redirectUrl })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({
      method: null,
      locale: null,
      cancelUrl: null,
      webhookUrl: null,
      metadata: null,
    })
  })

  it('may have an amount in any currency', async () => {
    expect(await make({ amount: { currency: 'JPY', value: '1250' } })).toHaveProperty('status', 'open')
    expect(await make({ amount: { currency: 'KWD', value: '1.250' } })).toHaveProperty('status', 'open')
  })
})

describe('a payment that is', () => {
  it.each([
    ['paid', 'paidAt', { amountRemaining: newPayment.amount, settlementAmount: newPayment.amount }],
    ['failed', 'failedAt', {}],
    ['canceled', 'canceledAt', {}],
    ['expired', 'expiredAt', {}],
  ])('%s says since when, and can be neither paid nor cancelled', async (outcome, at, more) => {
    const { id } = await make()
    await choose(id, outcome)
    const payment = await get(id)
    expect(payment).toMatchObject({ status: outcome, [at]: expect.stringMatching(SECONDS), ...more })
    expect(payment).not.toHaveProperty('isCancelable')
    expect(payment).not.toHaveProperty('expiresAt')
    expect(payment._links).toEqual({ self: expect.anything() })
    const cancelled = await ask('DELETE', `/payments/${id}`)
    expect(cancelled.status).toBe(422)
    expect(await cancelled.json()).toEqual({
      status: 422,
      title: 'Unprocessable Entity',
      detail: 'The payment cannot be canceled',
      _links: {},
    })
    expect(await get(id)).toEqual(payment)
  })

  it('open can be cancelled once', async () => {
    const { id } = await make()
    const answer = await ask('DELETE', `/payments/${id}`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, status: 'canceled' })
    expect(await get(id)).toHaveProperty('status', 'canceled')
    expect((await ask('DELETE', `/payments/${id}`)).status).toBe(422)
  })

  it.each([UNKNOWN, 'tr_short', 'ord_00000000000000000000', 'tr_%2F00000000000000'])(
    'not there (%s) is not found',
    async (id) => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await ask(method, `/payments/${id}`)
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({ status: 404, title: 'Not Found' })
      }
    },
  )
})
