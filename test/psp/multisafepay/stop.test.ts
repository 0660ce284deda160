import { describe, expect, it } from 'vitest'
import { GET, PATCH, atMultiSafepay, failure, shown } from './at-multisafepay.ts'
import { type Answers, json, paymentRequest } from '../scripted.ts'

describe('stopping a payment', () => {
  const stopped = async (...answers: Answers) => {
    const { psp, asked, requests } = atMultiSafepay(...answers)
    return { answer: await psp.stop(paymentRequest.job, 'EUR'), asked: asked(), requests }
  }
  const done = json(200, { success: true, data: {} })
  /** The order's session has ended with it: nobody can pay it any more. */
  const CLOSED = { is: 'observed', status: 'CANCELLED', closed: true, paid: 0, expiresAt: null }
  const unknown = failure(404, 1006, 'Invalid transaction ID')

  it('cancels the order and its page', async () => {
    const { answer, asked, requests } = await stopped(shown(), done, shown({ status: 'cancelled' }))
    expect(answer).toEqual(CLOSED)
    expect(asked).toEqual([GET, PATCH, GET])
    expect(await requests[1]?.json()).toEqual({ status: 'cancelled', exclude_order: true })
  })

  it('cancels a page whose order has no transaction yet', async () => {
    const { answer, asked } = await stopped(unknown, done, unknown)
    expect(answer).toEqual(CLOSED)
    expect(asked).toEqual([GET, PATCH, GET])
  })

  it('does not say that nothing can come where the customer had just been told where to send the money', async () => {
    const transfer = { status: 'cancelled', payment_details: { type: 'BANKTRANS' } }
    expect((await stopped(shown(), done, shown(transfer))).answer).toMatchObject({
      status: 'CANCELLED',
      closed: false,
    })
  })

  it('does not say that nothing can come when MultiSafepay did not cancel it', async () => {
    const refused = failure(410, 1000, 'Not possible')
    expect((await stopped(shown(), refused, shown({ status: 'cancelled' }))).answer).toMatchObject({
      status: 'CANCELLED',
      closed: false,
    })
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
    [{ payment_details: { type: 'BANKTRANS' } }, 'PENDING', 0],
    [{ payment_details: { type: 'MULTIBANCO' } }, 'PENDING', 0],
    [{ status: 'reserved', financial_status: 'reserved' }, 'PENDING', 0],
  ])('leaves an order alone that is no longer untouched: %j', async (changes, status, paid) => {
    const { answer, asked } = await stopped(shown(changes), done)
    expect(answer).toMatchObject({ is: 'observed', status, paid })
    expect(asked).toEqual([GET])
  })

  it.each([
    ['before', [json(503, {})]],
    ['at', [shown(), json(503, {})]],
    ['after', [shown(), done, json(503, {})]],
  ] as [string, Answers][])(
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
    expect(await atMultiSafepay(failure(401, 1032, 'Invalid API key')).psp.check()).toMatchObject({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid API key (1032)',
    })
  })

  it('says nothing of it while MultiSafepay is down', async () => {
    expect(await atMultiSafepay(json(500, {})).psp.check()).toMatchObject({ is: 'unavailable' })
  })
})
