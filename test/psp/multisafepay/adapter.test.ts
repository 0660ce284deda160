import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { API_KEY, atMultiSafepay, shown } from './at-multisafepay.ts'
import { type Answers, paymentRequest } from '../scripted.ts'

function askedOf(...answers: Answers) {
  return atMultiSafepay(...answers).psp.ask(paymentRequest.job, 'EUR')
}

describe('a payment that MultiSafepay holds', () => {
  it('is asked about by one GET with the API key', async () => {
    const { psp, requests } = atMultiSafepay(shown())
    await psp.ask(paymentRequest.job, 'EUR')
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
    await psp.ask('../gateways?x=1#', 'EUR')
    expect(requests[0]?.url).toBe('https://api.multisafepay.com/v1/json/orders/..%2Fgateways%3Fx%3D1%23')
  })

  const OPEN = { status: 'PENDING', stage: { is: 'open' } }
  const UNDERWAY = { status: 'PENDING', stage: { is: 'underway', patience: 14 * DAY } }
  const AUTHORIZED = { status: 'PENDING', stage: { is: 'authorized', patience: 30 * DAY } }
  const PAID = { status: 'SUCCESS' }
  const ended = (status: string) => ({ status, closed: false })

  /**
   * https://docs.multisafepay.com/docs/payment-statuses and the pages of the payment methods: every
   * word of an order.
   */
  it.each([
    ['initialized', 'initialized', OPEN],
    ['initialized', 'completed', OPEN],
    ['uncleared', 'initialized', UNDERWAY],
    ['uncleared', 'uncleared', UNDERWAY],
    ['reserved', 'initialized', AUTHORIZED],
    ['reserved', 'reserved', AUTHORIZED],
    ['declined', 'declined', ended('FAILURE')],
    ['declined', 'completed', ended('FAILURE')],
    ['cancelled', 'cancelled', ended('CANCELLED')],
    ['void', 'cancelled', ended('CANCELLED')],
    ['void', 'void', ended('CANCELLED')],
    ['expired', 'expired', ended('EXPIRED')],
    ['completed', undefined, PAID],
    ['shipped', undefined, PAID],
    ['refunded', 'completed', PAID],
    ['partial_refunded', 'completed', PAID],
    ['chargeback', 'void', PAID],
    ['chargedback', 'void', PAID],
  ])('whose order is %s and transaction %s there is %j here', async (status, financial_status, standing) => {
    expect(await askedOf(shown({ status, financial_status }))).toMatchObject({
      is: 'observed',
      ...standing,
      paid: standing.status === 'SUCCESS' ? 1250 : 0,
      expiresAt: null,
    })
  })

  /** Every word of a transaction whose order is completed or shipped. */
  it.each([
    ['initialized', AUTHORIZED],
    ['reserved', AUTHORIZED],
    ['uncleared', UNDERWAY],
    ['completed', PAID],
    ['shipped', PAID],
    ['declined', ended('FAILURE')],
    ['cancelled', ended('CANCELLED')],
    ['void', ended('CANCELLED')],
    ['expired', ended('EXPIRED')],
    ['refunded', PAID],
    ['partial_refunded', PAID],
    ['chargeback', PAID],
    ['chargedback', PAID],
  ])('whose transaction is %s once its order is completed or shipped is %j', async (word, standing) => {
    for (const status of ['completed', 'shipped']) {
      const { closed, ...seen } = { closed: undefined, ...standing }
      expect(await askedOf(shown({ status, financial_status: word }))).toMatchObject({
        ...seen,
        ...(closed === undefined ? {} : { closed }),
        paid: standing.status === 'SUCCESS' ? 1250 : 0,
      })
    }
  })

  it.each([
    ['BANKTRANS', 'initialized', 60],
    ['MULTIBANCO', 'initialized', 7],
    ['MULTIBANCO', 'uncleared', 7],
    ['DIRDEB', 'uncleared', 22],
    ['CREDITCARD', 'uncleared', 14],
  ])('by %s that is %s is under way, for %d days at most', async (type, status, days) => {
    const held = shown({ status, financial_status: status, payment_details: { type } })
    expect(await askedOf(held)).toMatchObject({ stage: { is: 'underway', patience: days * DAY } })
  })

  it.each([null, 7, 'IDEAL', { type: 7 }, { type: 'IDEAL' }, {}])(
    'is open while payment_details are %j: the customer has not chosen to transfer money',
    async (payment_details) => {
      expect(await askedOf(shown({ payment_details }))).toMatchObject({ stage: { is: 'open' } })
    },
  )

  it.each([{ status: 'half_completed' }, { status: 'completed', financial_status: 'half_completed' }])(
    'in a status that nobody knows is no answer, and the operator is told the word: %j',
    async (changes) => {
      expect(await askedOf(shown(changes))).toEqual({
        is: 'unavailable',
        message: 'MultiSafepay says that the order is "half_completed", which the hub does not know.',
      })
    },
  )
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
    expect(await askedOf(shown({ payment_methods }))).toMatchObject({ status: 'PENDING', paid })
  })

  it('has nothing paid once it has failed', async () => {
    const failed = { status: 'expired', financial_status: 'expired' }
    expect(await askedOf(shown({ ...failed, payment_methods: [part(500)] }))).toMatchObject({
      status: 'EXPIRED',
      paid: 0,
    })
  })
})
