import { afterEach, describe, expect, it, vi } from 'vitest'
import { API_KEY, atMultiSafepay, created, failure, shown } from './at-multisafepay.ts'
import { type Answer, type Answers, closedConnection, hang, html, json, paymentRequest } from '../scripted.ts'
import { within } from '../../../src/psp/deadline.ts'
import { expectEightSeconds } from '../eight-seconds.ts'
import { patience } from '../patience.ts'

const announce = (...answers: Answers) => atMultiSafepay(...answers).psp.announce(paymentRequest, patience)
const pull = (...answers: Answers) => atMultiSafepay(...answers).psp.pull(paymentRequest.job, 'EUR')

afterEach(() => vi.useRealTimers())

describe('an announcement that MultiSafepay refuses', () => {
  it.each([
    [400, 1001, 'Invalid amount'],
    [200, 1002, 'Invalid currency'],
    [401, 1032, 'Invalid API key'],
    [404, 1000, 'Not found'],
    [410, 1019, 'The site is blocked in your account.'],
    [409, 1023, 'No gateway (payment method) available'],
  ])('with %d and %d is refused in its words', async (status, code, info) => {
    expect(await announce(failure(status, code, info))).toEqual({
      is: 'refused',
      message: `MultiSafepay refused the payment: ${info} (${code})`,
    })
  })

  it.each([
    [403, { message: 'Forbidden' }, 'MultiSafepay refused the payment: Forbidden'],
    [
      422,
      { success: false, message: 'Validation error', errors: [] },
      'MultiSafepay refused the payment: Validation error',
    ],
    [400, { oops: true }, 'MultiSafepay refused the payment.'],
    [200, { success: false }, 'MultiSafepay refused the payment.'],
    [400, [], 'MultiSafepay refused the payment.'],
  ])('with %d and %j is refused all the same', async (status, body, message) => {
    expect(await announce(json(status, body))).toEqual({ is: 'refused', message })
  })

  it('is refused without the API key, when MultiSafepay quotes it', async () => {
    expect(await announce(failure(401, 1032, `Invalid API key ${API_KEY}`))).toEqual({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid API key … (1032)',
    })
  })
})

/** None of these says that the payment failed, or that it is there. */
const NO_ANSWERS: [string, Answer][] = [
  ['408', json(408, {})],
  ['429', failure(429, 1000, 'Slow down')],
  ['500', failure(500, 9999, 'Unknown error')],
  ['503 with a page', html(503)],
  ['200 with a page', html(200)],
  ['403 with a page of something before MultiSafepay', html(403)],
  ['a redirect', html(302, { location: 'https://elsewhere.test/' })],
  ['a connection that is closed', closedConnection],
  ['JSON that is no order', json(200, { hello: 'world' })],
  ['null', json(200, null)],
  ['a success without data', json(200, { success: true })],
  ['an order that nobody says succeeded', json(200, { data: { order_id: paymentRequest.job } })],
]

describe.each([
  ['announcing', announce],
  ['pulling', pull],
])('%s', (_, ask) => {
  it.each(NO_ANSWERS)('takes %s as no answer', async (_name, answer) => {
    expect(await ask(answer)).toMatchObject({ is: 'unavailable', message: expect.stringMatching(/\w/) })
  })

  it('hears how long MultiSafepay wants to be left alone', async () => {
    const busy: Answer = async () => Response.json({}, { status: 429, headers: { 'retry-after': '7' } })
    expect(await ask(busy)).toMatchObject({ is: 'unavailable', retryAfter: 7 })
  })

  it('waits eight seconds for MultiSafepay, and no longer', async () => {
    await expectEightSeconds(() =>
      within<unknown>(8000, (deadline) =>
        ask === pull ? pull(hang) : atMultiSafepay(hang).psp.announce(paymentRequest, deadline),
      ),
    )
  })

  it('does not let MultiSafepay send it elsewhere', async () => {
    const { psp, requests } = atMultiSafepay(html(307, { location: 'https://elsewhere.test/' }))
    await (ask === pull ? psp.pull(paymentRequest.job, 'EUR') : psp.announce(paymentRequest, patience))
    expect(requests.map(({ redirect }) => redirect)).toEqual(['manual'])
  })
})

describe('announcing', () => {
  it.each([
    ['without a page', { payment_url: null }],
    ['with a page that is no address', { payment_url: '/connect/1' }],
    ['of another order', { order_id: 'A-7' }],
  ])('takes an answer %s as none', async (_, changes) => {
    expect(await announce(created(changes))).toMatchObject({ is: 'unavailable' })
  })
})

describe('pulling', () => {
  it.each([
    [404, 1006, 'Invalid transaction ID'],
    [200, 1006, 'Invalid transaction ID'],
    [404, 1000, 'Not found'],
  ])('takes %d with %d as an order that MultiSafepay does not know', async (status, code, info) => {
    expect(await pull(failure(status, code, info))).toEqual({ is: 'unknown' })
  })

  it.each([
    [400, 1000],
    [401, 1032],
    [200, 1032],
    [403, 1020],
  ])('takes %d with %d as no answer: it says nothing of the order', async (status, code) => {
    expect(await pull(failure(status, code, 'No'))).toEqual({
      is: 'unavailable',
      message: `MultiSafepay answered ${status} without the order.`,
    })
  })

  it.each([
    { status: 'weird' },
    { financial_status: 'weird' },
    { status: null },
    { currency: 'USD' },
    { currency: 'eur' },
    { order_id: 'A-7' },
    { amount: '1250' },
    { amount: 12.5 },
    { amount: -1250 },
    { amount: null },
  ])('does not believe an order with %j', async (changes) => {
    const paid = { status: 'completed', financial_status: 'completed' }
    expect(await pull(shown({ ...paid, ...changes }))).toMatchObject({ is: 'unavailable' })
  })
})
