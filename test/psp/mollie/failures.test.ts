import { describe, expect, it } from 'vitest'
import { atMollie, mollieError, payment } from './at-mollie.ts'
import { type Answer, type Answers, json, paymentRequest } from '../scripted.ts'
import { patience } from '../patience.ts'

function announce(...answers: Answers) {
  return atMollie(...answers).psp.announce(paymentRequest, patience)
}
function pull(...answers: Answers) {
  return atMollie(...answers).psp.pull('tr_7UhSN1zuXS', 'EUR')
}

describe('an announcement that Mollie refuses', () => {
  it.each([
    [404, 'Not Found', 'No route found', undefined],
    [410, 'Gone', 'The method is no longer offered', undefined],
    [422, 'Unprocessable Entity', 'The amount is higher than the maximum', 'amount'],
  ])('with %d is refused in its words', async (status, title, detail, field) => {
    expect(await announce(mollieError(status, title, detail, field))).toMatchObject({
      is: 'refused',
      message: `Mollie refused the payment: ${title}: ${detail}${field ? ` (${field})` : ''}`,
    })
  })

  it('without saying why is refused all the same', async () => {
    expect(await announce(json(400, { oops: true }))).toMatchObject({
      is: 'refused',
      message: 'Mollie refused the payment.',
    })
  })
})

/** What the PSP never says: beside what is no answer at any PSP, these are none. */
const NO_ANSWERS: [string, Answer][] = [
  ['a payment in a status that Mollie does not have', json(200, payment({ status: 'weird' }))],
  ['a payment with another kind of id', json(200, payment({ id: 'ord_7UhSN1zuXS' }))],
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
    ['no checkout link', {}],
    ['a checkout link of null', { checkout: null }],
    ['a checkout link that is no address', { checkout: { href: '/checkout' } }],
  ])('takes a payment with %s as no answer: nobody could pay it', async (_, _links) => {
    expect(await announce(json(201, payment({ _links })))).toMatchObject({ is: 'unavailable' })
  })
})

describe('pulling', () => {
  it.each([404, 410])('takes %d as a payment that Mollie does not know', async (status) => {
    expect(await pull(mollieError(status, 'Not Found', 'No payment exists'))).toEqual({ is: 'unknown' })
  })

  it.each([400, 401, 403, 422])('takes %d as no answer: it says nothing of the payment', async (status) => {
    expect(await pull(mollieError(status, 'Error', 'Detail'))).toEqual({
      is: 'unavailable',
      message: `Mollie answered ${status} without the payment.`,
      ...([401, 403].includes(status) ? { accountRefused: true } : {}),
    })
  })

  it.each([
    { currency: 'USD', value: '12.50' },
    { currency: 'eur', value: '12.50' },
    { currency: 'EUR', value: '12.505' },
    { currency: 'EUR', value: '-12.50' },
    { currency: 'EUR', value: '12,50' },
    { currency: 'EUR', value: '' },
    { currency: 'EUR', value: 12.5 },
  ])('does not believe a payment of %j', async (amount) => {
    expect(await pull(json(200, payment({ status: 'paid', amount })))).toMatchObject({ is: 'unavailable' })
  })
})
