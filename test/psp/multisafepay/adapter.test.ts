import { describe, expect, it } from 'vitest'
import { API_KEY, atMultiSafepay, shown } from './at-multisafepay.ts'
import { type Answers, paymentRequest } from '../scripted.ts'

const pulled = (...answers: Answers) => atMultiSafepay(...answers).psp.pull(paymentRequest.job, 'EUR')

describe('a payment that MultiSafepay holds', () => {
  it('is pulled by one GET with the API key', async () => {
    const { psp, requests } = atMultiSafepay(shown())
    await psp.pull(paymentRequest.job, 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://api.multisafepay.com/v1/json/orders/${paymentRequest.job}`,
    ])
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      api_key: API_KEY,
      accept: 'application/json',
    })
  })

  it('cannot be named in a way that leads to another address', async () => {
    const { psp, requests } = atMultiSafepay(shown())
    await psp.pull('../gateways?x=1#', 'EUR')
    expect(requests[0]?.url).toBe('https://api.multisafepay.com/v1/json/orders/..%2Fgateways%3Fx%3D1%23')
  })

  /** https://docs.multisafepay.com/docs/payment-statuses and the pages of the payment methods. */
  it.each([
    ['initialized', 'initialized', 'PENDING', 0],
    ['uncleared', 'initialized', 'PENDING', 0],
    ['uncleared', 'uncleared', 'PENDING', 0],
    ['reserved', 'initialized', 'PENDING', 0],
    ['reserved', 'reserved', 'PENDING', 0],
    ['completed', 'completed', 'SUCCESS', 1250],
    ['completed', undefined, 'SUCCESS', 1250],
    ['shipped', 'completed', 'SUCCESS', 1250],
    ['completed', 'initialized', 'PENDING', 0],
    ['completed', 'uncleared', 'PENDING', 0],
    ['shipped', 'initialized', 'PENDING', 0],
    ['shipped', 'uncleared', 'PENDING', 0],
    ['completed', 'reserved', 'PENDING', 0],
    ['completed', 'declined', 'FAILURE', 0],
    ['completed', 'void', 'CANCELLED', 0],
    ['shipped', 'cancelled', 'CANCELLED', 0],
    ['completed', 'expired', 'EXPIRED', 0],
    ['completed', 'refunded', 'SUCCESS', 1250],
    ['declined', 'declined', 'FAILURE', 0],
    ['cancelled', 'cancelled', 'CANCELLED', 0],
    ['void', 'cancelled', 'CANCELLED', 0],
    ['void', 'void', 'CANCELLED', 0],
    ['expired', 'expired', 'EXPIRED', 0],
    ['initialized', 'completed', 'PENDING', 0],
    ['declined', 'completed', 'FAILURE', 0],
  ])(
    'whose order is %s and transaction %s there is %s here, with %d paid',
    async (order, money, status, paid) => {
      expect(await pulled(shown({ status: order, financial_status: money }))).toEqual({
        is: 'observed',
        status,
        paid,
        expiresAt: null,
      })
    },
  )

  it.each([
    ['refunded', 'refunded'],
    ['partial_refunded', 'partial_refunded'],
    ['chargeback', 'void'],
    ['chargedback', 'chargedback'],
  ])('that is %s was paid in full before', async (status, financial_status) => {
    const amounts = { amount_refunded: 1250 }
    expect(await pulled(shown({ status, financial_status, ...amounts }))).toMatchObject({
      status: 'SUCCESS',
      paid: 1250,
    })
  })
})

describe('an order that is paid in part', () => {
  const part = (amount: unknown, status = 'completed', currency = 'EUR') => ({
    type: 'COUPON',
    amount,
    status,
    currency,
  })

  it.each([
    ['a gift card', [part(500), part(750, 'initialized')], 500],
    ['two gift cards', [part(500), part(250), part(500, 'uncleared')], 750],
    ['nothing yet', [part(1250, 'initialized')], 0],
    ['a gift card of another currency', [part(500, 'completed', 'USD')], 0],
    ['amounts that cannot be read', [part('500'), part(-5), part(1.5), null, 'x'], 0],
    ['all its parts, before the order says so', [part(500), part(750)], 0],
    ['no methods', null, 0],
  ])('with %s is PENDING', async (_, payment_methods, paid) => {
    expect(await pulled(shown({ payment_methods }))).toMatchObject({ status: 'PENDING', paid })
  })

  it('has nothing paid once it has failed', async () => {
    const failed = { status: 'expired', financial_status: 'expired' }
    expect(await pulled(shown({ ...failed, payment_methods: [part(500)] }))).toMatchObject({
      status: 'EXPIRED',
      paid: 0,
    })
  })
})
