import { describe, expect, it } from 'vitest'
import {
  API_KEY,
  type Answer,
  GET,
  PATCH,
  atMultiSafepay,
  charge,
  failure,
  json,
  shown,
} from './multisafepay-double.ts'

const pulled = (...answers: [Answer, ...Answer[]]) => atMultiSafepay(...answers).psp.pull(charge.job, 'EUR')

describe('a payment that MultiSafepay holds', () => {
  it('is pulled by one GET with the API key', async () => {
    const { psp, requests } = atMultiSafepay(shown())
    await psp.pull(charge.job, 'EUR')
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://api.multisafepay.com/v1/json/orders/${charge.job}`,
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

describe('stopping a payment', () => {
  const stopped = async (...answers: [Answer, ...Answer[]]) => {
    const { psp, asked, requests } = atMultiSafepay(...answers)
    return { answer: await psp.stop?.(charge.job, 'EUR'), asked: asked(), requests }
  }
  const done = json(200, { success: true, data: {} })
  const unknown = failure(404, 1006, 'Invalid transaction ID')

  it('cancels the order and its page', async () => {
    const { answer, asked, requests } = await stopped(shown(), done, shown({ status: 'cancelled' }))
    expect(answer).toEqual({ is: 'observed', status: 'CANCELLED', paid: 0, expiresAt: null })
    expect(asked).toEqual([GET, PATCH, GET])
    expect(await requests[1]?.json()).toEqual({ status: 'cancelled', exclude_order: true })
  })

  it('cancels a page whose order has no transaction yet', async () => {
    const { answer, asked } = await stopped(unknown, done, unknown)
    expect(answer).toEqual({ is: 'observed', status: 'CANCELLED', paid: 0, expiresAt: null })
    expect(asked).toEqual([GET, PATCH, GET])
  })

  it('tells that it is unknown when MultiSafepay has nothing to cancel', async () => {
    expect((await stopped(unknown, unknown, unknown)).answer).toEqual({ is: 'unknown' })
  })

  it('finds it paid when that happened meanwhile', async () => {
    const { answer } = await stopped(
      shown(),
      failure(410, 1000, 'Not possible'),
      shown({ status: 'completed', financial_status: 'completed' }),
    )
    expect(answer).toMatchObject({ is: 'observed', status: 'SUCCESS', paid: 1250 })
  })

  it.each([
    [{ status: 'completed', financial_status: 'completed' }, 'SUCCESS', 1250],
    [{ status: 'completed', financial_status: 'uncleared' }, 'PENDING', 0],
    [{ status: 'uncleared', financial_status: 'uncleared' }, 'PENDING', 0],
    [{ payment_methods: [{ status: 'completed', amount: 500, currency: 'EUR' }] }, 'PENDING', 500],
    [{ status: 'expired', financial_status: 'expired' }, 'EXPIRED', 0],
  ])('leaves an order alone that is no longer untouched: %j', async (changes, status, paid) => {
    const { answer, asked } = await stopped(shown(changes), done)
    expect(answer).toMatchObject({ is: 'observed', status, paid })
    expect(asked).toEqual([GET])
  })

  it.each([
    ['before', [json(503, {})]],
    ['at', [shown(), json(503, {})]],
    ['after', [shown(), done, json(503, {})]],
  ] as [string, [Answer, ...Answer[]]][])(
    'tells nothing of it when MultiSafepay fails %s the cancelling',
    async (_, answers) => {
      const { answer, asked } = await stopped(...answers)
      expect(answer).toMatchObject({ is: 'unavailable' })
      expect(asked).toHaveLength(answers.length)
    },
  )
})

describe('checking an account', () => {
  it('asks for its gateways', async () => {
    const { psp, asked } = atMultiSafepay(json(200, { success: true, data: [{ id: 'IDEAL' }] }))
    expect(await psp.check()).toEqual({ is: 'working' })
    expect(asked()).toEqual(['GET /v1/json/gateways'])
  })

  it('says why its key does not work', async () => {
    expect(await atMultiSafepay(failure(401, 1032, 'Invalid API key')).psp.check()).toEqual({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid API key (1032)',
    })
  })

  it('says nothing of it while MultiSafepay is down', async () => {
    expect(await atMultiSafepay(json(500, {})).psp.check()).toMatchObject({ is: 'unavailable' })
  })
})
