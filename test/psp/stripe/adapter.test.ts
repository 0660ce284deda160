import { describe, expect, it } from 'vitest'
import { SECRET_KEY, atStripe, session, stripeError } from './at-stripe.ts'
import { type Answers, json, paymentRequest, patience } from '../scripted.ts'

const ID = 'cs_test_a1YS1URlnyQCN5fUUduO'
const EXPIRES_AT = Date.UTC(2026, 10, 21, 10, 15)
function seen(...answers: Answers) {
  return atStripe(...answers).psp.ask(ID, 'EUR')
}

describe('a payment that Stripe holds', () => {
  it('is announced with its session, the way to its checkout and its end', async () => {
    expect(await atStripe(json(200, session())).psp.announce(paymentRequest, patience)).toEqual({
      is: 'announced',
      reference: ID,
      checkoutUrl: `https://checkout.stripe.com/c/pay/${ID}#fid`,
      expiresAt: EXPIRES_AT,
    })
  })

  it('is asked about by one authorized GET, with its payment intent and its charge', async () => {
    const { psp, requests } = atStripe(json(200, session()))
    await psp.ask(ID, 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://api.stripe.com/v1/checkout/sessions/${ID}?expand[]=payment_intent.latest_charge`,
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: `Bearer ${SECRET_KEY}`,
      accept: 'application/json',
      'stripe-version': '2026-10-28.endive',
    })
  })

  it('cannot be named in a way that leads to another address', async () => {
    const { psp, requests } = atStripe(json(200, session()))
    await psp.ask('../refunds?x=1#', 'EUR')
    expect(requests[0]?.url).toMatch(/\/v1\/checkout\/sessions\/\.\.%2Frefunds%3Fx%3D1%23\?/)
  })

  it('is paid in part when Stripe took less', async () => {
    const less = session({ status: 'complete', payment_status: 'paid', amount_total: 1000 })
    expect(await seen(json(200, less))).toMatchObject({ status: 'SUCCESS', paid: 1000 })
  })

  it('counts in the currency of the order when the customer paid in another', async () => {
    const presentment_details = { presentment_amount: 1380, presentment_currency: 'usd' }
    const adapted = session({ status: 'complete', payment_status: 'paid', presentment_details })
    expect(await seen(json(200, adapted))).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atStripe(...answers)
    const answer = await psp.stop(ID, 'EUR')
    return { answer, asked: requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`) }
  }
  const EXPIRE = `POST /v1/checkout/sessions/${ID}/expire`
  const GET = `GET /v1/checkout/sessions/${ID}`
  const notOpen = stripeError(400, 'Only Checkout Sessions with a status in ["open"] can be expired.')

  it('ends its session, and is a cancellation', async () => {
    const { answer, asked } = await stopped(json(200, session({ status: 'expired', url: null })))
    expect(answer).toEqual({
      is: 'observed',
      status: 'CANCELLED',
      closed: true,
      paid: 0,
      expiresAt: EXPIRES_AT,
    })
    expect(asked).toEqual([EXPIRE])
  })

  it.each([
    ['complete', 'paid', 'SUCCESS', 1250],
    ['complete', 'unpaid', 'PENDING', 0],
    ['expired', 'unpaid', 'EXPIRED', 0],
  ])(
    'says how it stands when its session is %s and %s already',
    async (status, payment_status, here, paid) => {
      const { answer, asked } = await stopped(notOpen, json(200, session({ status, payment_status })))
      expect(answer).toMatchObject({ is: 'observed', status: here, paid })
      expect(asked).toEqual([EXPIRE, GET])
    },
  )

  it.each([
    [404, { is: 'unknown' }],
    [401, { is: 'unavailable', message: 'Stripe answered 401 without the payment.', accountRefused: true }],
    [503, { is: 'unavailable', message: 'The payment service provider answered 503.' }],
  ])('tells nothing of it when Stripe answers %d', async (status, is) => {
    const { answer, asked } = await stopped(stripeError(status, 'No'))
    expect(answer).toEqual(is)
    expect(asked).toEqual([EXPIRE])
  })
})

describe('a check of the credentials', () => {
  it('asks for one session, and changes nothing', async () => {
    const { psp, requests } = atStripe(json(200, { object: 'list', data: [], has_more: false }))
    expect(await psp.check()).toEqual({ is: 'working' })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://api.stripe.com/v1/checkout/sessions?limit=1',
    ])
  })

  it('fails in Stripe’s words, without the key', async () => {
    const checked = await atStripe(stripeError(401, `Invalid API Key provided: ${SECRET_KEY}`)).psp.check()
    expect(checked).toMatchObject({
      is: 'refused',
      message: 'Stripe refused the payment: Invalid API Key provided: …',
    })
    expect(await atStripe(json(502, {})).psp.check()).toMatchObject({ is: 'unavailable' })
  })
})
