import { describe, expect, it } from 'vitest'
import { CREDENTIALS, LINK, adyenError, atAdyen, link } from './at-adyen.ts'
import { type Answer, type Answers, json, paymentRequest } from '../scripted.ts'
import { patience } from '../patience.ts'

function announce(...answers: Answers) {
  return atAdyen(...answers).psp.announce(paymentRequest, patience)
}
function pull(...answers: Answers) {
  return atAdyen(...answers).psp.pull(LINK, 'EUR')
}

describe('an announcement that Adyen refuses', () => {
  it.each([
    [400, '702', 'Structure of PaymentLinkRequest contains the following unknown fields: [foo]'],
    [404, '000', 'Not found'],
    [422, '14_030', 'Return URL is missing.'],
  ])('with %d is refused in its words', async (status, code, message) => {
    expect(await announce(adyenError(status, code, message))).toMatchObject({
      is: 'refused',
      message: `Adyen refused the payment: ${message} (${code})`,
    })
  })

  it('without a code is refused in its words too', async () => {
    expect(await announce(json(422, { status: 422, message: 'No' }))).toMatchObject({
      is: 'refused',
      message: 'Adyen refused the payment: No',
    })
  })

  it('without saying why is refused all the same', async () => {
    expect(await announce(json(400, { oops: true }))).toMatchObject({
      is: 'refused',
      message: 'Adyen refused the payment.',
    })
  })

  it('with its key in the words is told without it', async () => {
    const answer = await announce(adyenError(401, '000', `The key ${CREDENTIALS.apiKey} is wrong`))
    expect(answer).toMatchObject({ message: expect.stringContaining('The key … is wrong') })
  })
})

/** What the PSP never says: beside what is no answer at any PSP, these are none. */
const NO_ANSWERS: [string, Answer][] = [
  ['a link in a status that Adyen does not have', json(200, link({ status: 'refused' }))],
  ['a link whose status is no text', json(200, link({ status: 200 }))],
  ['a link without an id', json(200, link({ id: '' }))],
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
  it('takes a link with an end that is no time as one without an end', async () => {
    const held = json(201, link({ expiresAt: 'tomorrow' }))
    expect(await announce(held)).toMatchObject({ is: 'announced', expiresAt: null })
  })

  it.each([undefined, null, '', '/pay'])(
    'takes a link to %j as no answer: nobody could pay it',
    async (url) => {
      expect(await announce(json(201, link({ url })))).toMatchObject({ is: 'unavailable' })
    },
  )
})

describe('pulling', () => {
  it.each([404, 410])('takes %d as a payment that Adyen does not know', async (status) => {
    expect(await pull(adyenError(status, '000', 'Not found'))).toEqual({ is: 'unknown' })
  })

  it.each([400, 401, 403, 422])('takes %d as no answer: it says nothing of the payment', async (status) => {
    expect(await pull(adyenError(status, '000', 'No'))).toEqual({
      is: 'unavailable',
      message: `Adyen answered ${status} without the payment link.`,
      ...([401, 403].includes(status) ? { accountRefused: true } : {}),
    })
  })

  it.each([
    { currency: 'USD', value: 1250 },
    { currency: 'eur', value: 1250 },
    { currency: 'EUR', value: 12.5 },
    { currency: 'EUR', value: -1250 },
    { currency: 'EUR', value: '1250' },
    { currency: 'EUR', value: 2 ** 53 },
    { currency: 'EUR' },
  ])('does not believe a link over %j', async (amount) => {
    expect(await pull(json(200, link({ status: 'completed', amount })))).toMatchObject({ is: 'unavailable' })
  })
})
