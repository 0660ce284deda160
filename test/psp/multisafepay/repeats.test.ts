import { describe, expect, it } from 'vitest'
import { CREATE, GET, PAGE, atMultiSafepay, created, failure, shown } from './at-multisafepay.ts'
import { type Answers, json, paymentRequest, patience } from '../scripted.ts'

/**
 * MultiSafepay has no idempotency key. An order id that is used already is error 1006, "Invalid
 * order ID".
 */
const taken = failure(400, 1006, 'Invalid transaction ID')

async function announce(...answers: Answers) {
  const { psp, asked } = atMultiSafepay(...answers)
  return { answer: await psp.announce(paymentRequest, patience), asked: asked() }
}

describe('announcing a payment that MultiSafepay holds already', () => {
  it('gives its page once more when MultiSafepay does', async () => {
    const { answer, asked } = await announce(created({ payment_url: `${PAGE}&again` }))
    expect(answer).toMatchObject({ is: 'announced', checkoutUrl: `${PAGE}&again` })
    expect(asked).toEqual([CREATE])
  })

  it.each([
    ['400', taken],
    ['200', failure(200, 1006, 'Invalid transaction ID')],
    ['404', failure(404, 1006, 'Invalid transaction ID')],
  ])('finds its page in the order when MultiSafepay refuses the id with %s', async (_, refusal) => {
    const { answer, asked } = await announce(refusal, shown({ payment_url: PAGE }))
    expect(answer).toEqual({
      is: 'announced',
      reference: paymentRequest.job,
      checkoutUrl: PAGE,
      expiresAt: null,
    })
    expect(asked).toEqual([CREATE, GET])
  })

  it.each(['completed', 'uncleared', 'declined', 'cancelled', 'void', 'expired', 'refunded'])(
    'sends the customer of an order that is %s back, to learn how it stands',
    async (status) => {
      const { answer } = await announce(taken, shown({ status, financial_status: status }))
      expect(answer).toEqual({
        is: 'announced',
        reference: paymentRequest.job,
        checkoutUrl: paymentRequest.returnUrl,
        expiresAt: null,
      })
    },
  )

  it.each([
    ['is open, and its page unknown', shown()],
    ['is open, and its page is no address', shown({ payment_url: '/connect' })],
    ['is another one', shown({ order_id: 'A-7', status: 'completed' })],
    ['cannot be read', json(200, { success: true, data: [] })],
    ['is not shown for now', json(503, {})],
  ])('does not believe that it failed when the order %s', async (_, held) => {
    expect((await announce(taken, held)).answer).toMatchObject({ is: 'unavailable' })
  })

  it.each([
    ['amount', { amount: 5000 }],
    ['currency', { currency: 'USD' }],
    ['fingerprint', { var1: 'another order' }],
    ['fingerprint, which it does not have', { var1: null }],
  ])('is refused when the held order has another %s, paid or not', async (_, changes) => {
    const OPEN = { payment_url: PAGE }
    for (const state of [OPEN, { status: 'completed', financial_status: 'completed' }]) {
      const { answer } = await announce(taken, shown({ ...state, ...changes }))
      expect(answer).toMatchObject({
        is: 'refused',
        message: 'MultiSafepay holds another order under this id.',
      })
    }
  })

  it('is refused when there is no such order after all: the id itself is not right', async () => {
    const { answer } = await announce(taken, failure(404, 1006, 'Invalid transaction ID'))
    expect(answer).toMatchObject({
      is: 'refused',
      message: 'MultiSafepay refused the payment: Invalid transaction ID (1006)',
    })
  })

  it('asks for the order within the deadline of the announcement', async () => {
    const controller = new AbortController()
    const { psp, asked } = atMultiSafepay(
      async (request) => {
        controller.abort()
        return taken(request)
      },
      async (request) => {
        request.signal.throwIfAborted()
        return shown({ status: 'completed' })(request)
      },
    )
    expect(await psp.announce(paymentRequest, controller.signal)).toMatchObject({ is: 'unavailable' })
    expect(asked().length).toBeLessThanOrEqual(2)
  })
})
