import { describe, expect, it } from 'vitest'
import { SECRET_KEY, atStripe, session, stripeError } from './at-stripe.ts'
import { type Answer, type Answers, json, paymentRequest } from '../scripted.ts'
import { patience } from '../patience.ts'

function announce(...answers: Answers) {
  return atStripe(...answers).psp.announce(paymentRequest, patience)
}
function pull(...answers: Answers) {
  return atStripe(...answers).psp.pull('cs_test_1', 'EUR')
}

describe('an announcement that Stripe refuses', () => {
  it.each([
    [400, 'Invalid currency: xyz', 'line_items[0][price_data][currency]'],
    [400, 'No valid payment method types for this Checkout Session.', undefined],
    [402, 'The account cannot take payments', undefined],
    [404, 'Unrecognized request URL', null],
  ])('with %d is refused in its words', async (status, message, param) => {
    expect(await announce(stripeError(status, message, { param }))).toMatchObject({
      is: 'refused',
      message: `Stripe refused the payment: ${message}${param ? ` (${param})` : ''}`,
    })
  })

  it.each([
    [{ oops: true }, 'Stripe refused the payment.'],
    [null, 'Stripe refused the payment.'],
    [{ error: {} }, 'Stripe refused the payment.'],
    [{ error: { code: 'url_invalid' } }, 'Stripe refused the payment: url_invalid'],
  ])('by %j is refused all the same', async (body, message) => {
    expect(await announce(json(400, body))).toMatchObject({ is: 'refused', message })
  })

  it('because the idempotency key came with another request is refused at once', async () => {
    const reused = stripeError(400, 'Keys for idempotent requests can only be used …', {
      type: 'idempotency_error',
    })
    const { psp, requests } = atStripe(reused)
    expect(await psp.announce(paymentRequest, patience)).toMatchObject({ is: 'refused' })
    expect(requests).toHaveLength(1)
  })

  it('never tells the secret key', async () => {
    const answer = await announce(stripeError(401, `Invalid API Key provided: ${SECRET_KEY}`))
    expect(answer).toMatchObject({
      message: 'Stripe refused the payment: Invalid API Key provided: …',
    })
  })
})

/** What the PSP never says: beside what is no answer at any PSP, these are none. */
const NO_ANSWERS: [string, Answer][] = [
  ['a session in a status that Stripe does not have', json(200, session({ status: 'weird' }))],
  ['a session without a status', json(200, session({ status: null }))],
  ['money in a state that Stripe does not have', json(200, session({ payment_status: 'half' }))],
  ['another kind of object', json(200, session({ id: 'pi_3Mtw' }))],
  ['a session without an amount', json(200, session({ amount_total: null }))],
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
  it.each([undefined, null, '', '/c/pay'])(
    'takes a session at %j as no answer: nobody could pay it',
    async (url) => {
      expect(await announce(json(200, session({ url })))).toMatchObject({ is: 'unavailable' })
    },
  )

  it('takes a limit that Stripe tells with 400 as no answer', async () => {
    const limited = stripeError(400, 'Too many requests', { code: 'rate_limit' })
    expect(await announce(limited)).toMatchObject({ is: 'unavailable' })
  })
})

describe('pulling', () => {
  it('takes 404 as a payment that Stripe does not know', async () => {
    const missing = stripeError(404, 'No such checkout.session: cs_test_1', { code: 'resource_missing' })
    expect(await pull(missing)).toEqual({ is: 'unknown' })
  })

  it.each([400, 401, 402, 403, 409])(
    'takes %d as no answer: it says nothing of the payment',
    async (status) => {
      expect(await pull(stripeError(status, 'No'))).toEqual({
        is: 'unavailable',
        message: `Stripe answered ${status} without the payment.`,
        ...([401, 403].includes(status) ? { accountRefused: true } : {}),
      })
    },
  )

  it.each([{ status: 'weird' }, {}, 7])(
    'takes an unpaid session with a payment intent of %j as no answer: it decides there',
    async (payment_intent) => {
      const unpaid = { status: 'complete', payment_status: 'unpaid', payment_intent }
      expect(await pull(json(200, session(unpaid)))).toMatchObject({ is: 'unavailable' })
    },
  )

  it.each(['usd', 'EUR', '', null])('does not believe a payment in %j', async (currency) => {
    const paid = session({ status: 'complete', payment_status: 'paid', currency })
    expect(await pull(json(200, paid))).toMatchObject({ is: 'unavailable' })
  })
})
