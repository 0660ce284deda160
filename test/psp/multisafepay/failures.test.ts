import { describe, expect, it } from 'vitest'
import { API_KEY, atMultiSafepay, created, failure, shown } from './at-multisafepay.ts'
import { type Answer, type Answers, json, paymentRequest } from '../scripted.ts'
import { patience } from '../patience.ts'

function announce(...answers: Answers) {
  return atMultiSafepay(...answers).psp.announce(paymentRequest, patience)
}
function pull(...answers: Answers) {
  return atMultiSafepay(...answers).psp.pull(paymentRequest.job, 'EUR')
}

describe('an announcement that MultiSafepay refuses', () => {
  it.each([
    [400, 1001, 'Invalid amount'],
    [200, 1002, 'Invalid currency'],
    [404, 1000, 'Not found'],
    [410, 1019, 'The site is blocked in your account.'],
    [409, 1023, 'No gateway (payment method) available'],
  ])('with %d and %d is refused in its words', async (status, code, info) => {
    expect(await announce(failure(status, code, info))).toMatchObject({
      is: 'refused',
      message: `MultiSafepay refused the payment: ${info} (${code})`,
    })
  })

  it.each([
    [400, { message: 'Forbidden' }, 'MultiSafepay refused the payment: Forbidden'],
    [
      422,
      { success: false, message: 'Validation error', errors: [] },
      'MultiSafepay refused the payment: Validation error',
    ],
    [400, { oops: true }, 'MultiSafepay refused the payment.'],
    [200, { success: false }, 'MultiSafepay refused the payment.'],
    [400, [], 'MultiSafepay refused the payment.'],
  ])('with %d and %j is refused all the same', async (status, body, message) => {
    expect(await announce(json(status, body))).toMatchObject({ is: 'refused', message })
  })

  it('is told without the API key, when MultiSafepay quotes it', async () => {
    expect(await announce(failure(401, 1032, `Invalid API key ${API_KEY}`))).toMatchObject({
      message: 'MultiSafepay refused the payment: Invalid API key … (1032)',
    })
  })
})

/** What the PSP never says: beside what is no answer at any PSP, these are none. */
const NO_ANSWERS: [string, Answer][] = [
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
      ...(code === 1000 ? {} : { accountRefused: true }),
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
