import { describe, expect, it } from 'vitest'
import { atMollie, mollieError, payment } from './at-mollie.ts'
import { type Answers, json, paymentRequest, patience } from '../scripted.ts'

const EXPIRES_AT = Date.UTC(2026, 10, 21, 10, 15)
function seen(...answers: Answers) {
  return atMollie(...answers).psp.ask('tr_7UhSN1zuXS', 'EUR')
}

describe('a payment that Mollie holds', () => {
  it('is announced with its reference, the way to its checkout and its end', async () => {
    expect(await atMollie(json(201, payment())).psp.announce(paymentRequest, patience)).toEqual({
      is: 'announced',
      reference: 'tr_7UhSN1zuXS',
      checkoutUrl: 'https://www.mollie.com/checkout/7UhSN1zuXS',
      expiresAt: EXPIRES_AT,
    })
  })

  it('is asked about by one authorized GET', async () => {
    const { psp, requests } = atMollie(json(200, payment()))
    await psp.ask('tr_7UhSN1zuXS', 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://api.mollie.com/v2/payments/tr_7UhSN1zuXS',
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: 'Bearer test_0123456789abcdef',
      accept: 'application/json',
    })
  })

  it('cannot be named in a way that leads to another address', async () => {
    const { psp, requests } = atMollie(json(200, payment()))
    await psp.ask('../refunds?x=1#', 'EUR')
    expect(requests[0]?.url).toBe('https://api.mollie.com/v2/payments/..%2Frefunds%3Fx%3D1%23')
  })

  /** https://docs.mollie.com/docs/place-a-hold-for-a-payment: what is not captured is released. */
  it.each([
    ['12.50', 1250],
    ['7.25', 725],
    ['0.00', 0],
  ])('of which %s was captured counts for that, though Mollie calls it paid', async (value, paid) => {
    const held = payment({ status: 'paid', amountCaptured: { currency: 'EUR', value } })
    expect(await seen(json(200, held))).toMatchObject({ status: 'SUCCESS', paid })
  })

  it.each([
    { currency: 'USD', value: '12.50' },
    { currency: 'EUR', value: '12,50' },
    { currency: 'EUR' },
    '12.50',
  ])('is not believed to be paid when %j of it was captured', async (amountCaptured) => {
    const held = payment({ status: 'paid', amountCaptured })
    expect(await seen(json(200, held))).toMatchObject({ is: 'unavailable' })
  })

  it('is open whatever it makes of what was captured', async () => {
    expect(await seen(json(200, payment({ amountCaptured: '12.50' })))).toMatchObject({ status: 'PENDING' })
  })

  it.each([
    ['2026-11-21T10:15:00+00:00', EXPIRES_AT],
    ['2026-11-21T11:15:00+01:00', EXPIRES_AT],
    ['2026-11-21T10:15:00Z', EXPIRES_AT],
    ['2026-11-21T10:15:00.250Z', EXPIRES_AT + 250],
    [null, null],
    [undefined, null],
  ])('whose expiresAt is %j ends at %j', async (expiresAt, end) => {
    const held = payment({ expiresAt })
    expect(await seen(json(200, held))).toMatchObject({ is: 'observed', expiresAt: end })
    expect(await atMollie(json(201, held)).psp.announce(paymentRequest, patience)).toMatchObject({
      is: 'announced',
      expiresAt: end,
    })
  })
})

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, requests } = atMollie(...answers)
    const answer = await psp.stop('tr_7UhSN1zuXS', 'EUR')
    return { answer, asked: requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`) }
  }
  const DELETE = 'DELETE /v2/payments/tr_7UhSN1zuXS'
  const GET = 'GET /v2/payments/tr_7UhSN1zuXS'

  it('cancels it', async () => {
    const { answer, asked } = await stopped(json(200, payment({ status: 'canceled' })))
    expect(answer).toMatchObject({ is: 'observed', status: 'CANCELLED', paid: 0 })
    expect(asked).toEqual([DELETE])
  })

  it('finds it paid when Mollie no longer cancels it', async () => {
    const { answer, asked } = await stopped(
      mollieError(422, 'Unprocessable Entity', 'The payment cannot be canceled'),
      json(200, payment({ status: 'paid' })),
    )
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
    expect(asked).toEqual([DELETE, GET])
  })

  it('tells that it is unknown when Mollie does not have it', async () => {
    const { answer, asked } = await stopped(mollieError(404, 'Not Found', 'No payment exists'))
    expect(answer).toEqual({ is: 'unknown' })
    expect(asked).toEqual([DELETE])
  })

  it('tells nothing of it when Mollie fails', async () => {
    const { answer, asked } = await stopped(json(503, {}))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect(asked).toEqual([DELETE])
  })
})

describe('a notification', () => {
  const read = (body: string, job: string | null = paymentRequest.job) =>
    atMollie(json(500, {})).psp.readNotification({ job, headers: new Headers(), body, at: Date.now() })

  it('is about the payment in its form, and the job in its address', async () => {
    expect(await read('id=tr_7UhSN1zuXS')).toEqual({
      is: 'about',
      payments: [{ job: paymentRequest.job, reference: 'tr_7UhSN1zuXS', claimedStatus: null }],
      unsigned: true,
    })
  })

  it.each(['', 'id=', 'testByMollie=1', '{"id":"tr_7UhSN1zuXS"}'])(
    'is about nothing when its body is %j',
    async (body) => {
      expect(await read(body)).toEqual({ is: 'about', payments: [], unsigned: true })
    },
  )

  it('is about nothing when its address names no job', async () => {
    expect(await read('id=tr_7UhSN1zuXS', null)).toEqual({ is: 'about', payments: [], unsigned: true })
  })
})
