import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/platform/crypto/hash.ts'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import { MONEY_BACK_EVENTS } from '../../../src/psp/stripe/notification.ts'
import { type Answer, type Answers, closedConnection, json, paymentRequest } from '../scripted.ts'
import { WEBHOOK_SECRET, atStripe, charge, session, stripeError } from './at-stripe.ts'

const AT = Date.UTC(2026, 10, 21, 10, 15)
const REFERENCE = 'cs_test_a1YS1URlnyQCN5fUUduO'
const NOTHING = { is: 'about', payments: [] }

async function read(type: string, object: unknown, ...answers: Answers) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const v1 = toHex(await hmac('SHA-256', WEBHOOK_SECRET, `${AT / 1000}.${body}`))
  const headers = new Headers({ 'stripe-signature': `t=${AT / 1000},v1=${v1}` })
  const { psp, requests } = atStripe(...answers)
  const reading = await psp.readNotification({ job: null, headers, body, at: AT })
  return { reading, asked: requests.map(({ method, url }) => `${method} ${url}`) }
}

const NONE: Answer = json(500, {})
const LOOK_UP = 'GET https://api.stripe.com/v1/checkout/sessions?payment_intent=pi_3Mtw&limit=1'
const DISPUTE = { id: 'du_1', object: 'dispute', metadata: {}, payment_intent: 'pi_3Mtw' }
function sessions(...data: unknown[]): Answer {
  return json(200, { object: 'list', data, has_more: false })
}

describe('an event of money that went back', () => {
  it.each([...MONEY_BACK_EVENTS])('%s is about the job in the metadata of its object', async (type) => {
    const metadata = { payment_job: paymentRequest.job }
    const { reading, asked } = await read(type, charge({ metadata }), NONE)
    expect(reading).toEqual({
      is: 'about',
      payments: [{ job: paymentRequest.job, reference: null, claimedStatus: null }],
    })
    expect(asked).toEqual([])
  })

  it.each([{}, null, undefined, 'odd', { refund: 'r' }])(
    'whose metadata are %j is about the job of the session of its payment intent',
    async (metadata) => {
      const { reading, asked } = await read(
        'charge.dispute.created',
        { ...DISPUTE, metadata },
        sessions(session()),
      )
      expect(reading).toEqual({
        is: 'about',
        payments: [{ job: paymentRequest.job, reference: REFERENCE, claimedStatus: null }],
      })
      expect(asked).toEqual([LOOK_UP])
    },
  )

  it('is about nothing where the hub did not make the payment', async () => {
    const foreign = session({ client_reference_id: null, metadata: {} })
    expect((await read('refund.updated', DISPUTE, sessions())).reading).toEqual(NOTHING)
    expect((await read('refund.updated', DISPUTE, sessions(foreign))).reading).toEqual(NOTHING)
    expect((await read('refund.updated', DISPUTE, stripeError(404, 'No such intent'))).reading).toEqual(
      NOTHING,
    )
    expect((await read('refund.updated', DISPUTE, stripeError(400, 'No such intent'))).reading).toEqual(
      NOTHING,
    )
  })

  it.each([{ ...DISPUTE, payment_intent: null }, { id: 'du_1' }, { payment_intent: 7 }, null, 'ch_1'])(
    'that names no payment, %j, is about nothing, without asking',
    async (object) => {
      const { reading, asked } = await read('charge.dispute.closed', object, NONE)
      expect(reading).toEqual(NOTHING)
      expect(asked).toEqual([])
    },
  )

  it.each<[string, Answer]>([
    ['a fault', json(503, {})],
    ['a refused key', stripeError(401, 'Invalid API Key provided')],
    ['a key without permission', stripeError(403, 'No permission')],
    ['a closed connection', closedConnection],
    ['nonsense', json(200, { hello: 'world' })],
  ])('is to come again after %s', async (_, answer) => {
    expect((await read('charge.dispute.created', DISPUTE, answer)).reading).toMatchObject({
      is: 'unavailable',
    })
  })

  it('cannot lead to another address', async () => {
    const { asked } = await read(
      'charge.dispute.created',
      { ...DISPUTE, payment_intent: 'pi&x=1#' },
      sessions(),
    )
    expect(asked[0]).toMatch(/payment_intent=pi%26x%3D1%23&limit=1$/)
  })
})
