import { describe, expect, it } from 'vitest'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import { toHex } from '../../../src/platform/crypto/hash.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { SECRET_KEY, WEBHOOK_SECRET, atStripe, charge, intent, session, stripeError } from './samples.ts'
import { type Answer, type Answers, closedConnection, json, paymentRequest } from '../scripted.ts'
import { MONEY_EVENTS } from '../../../src/psp/stripe/notification.ts'

const AT = Date.UTC(2026, 10, 21, 10, 15)

const REFERENCE = 'cs_test_a1YS1URlnyQCN5fUUduO'

const NOTHING = { is: 'about', payments: [] }

const UNAUTHENTIC = { is: 'unauthentic' }

function eventOf(type: string, object: unknown = session()): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
}

const COMPLETED = eventOf('checkout.session.completed')

async function v1(
  body: string,
  seconds: number | string = AT / 1000,
  secret = WEBHOOK_SECRET,
): Promise<string> {
  return toHex(await hmac('SHA-256', secret, `${seconds}.${body}`))
}

async function read(body: string, header?: string | null, webhookSecret = WEBHOOK_SECRET) {
  const fetch = async () => new Response('', { status: 500 })
  const psp = stripe.open({ fetch, mode: 'test', credentials: { secretKey: SECRET_KEY, webhookSecret } })
  const signature = header === undefined ? `t=${AT / 1000},v1=${await v1(body)}` : header
  const headers = new Headers(signature === null ? {} : { 'stripe-signature': signature })
  return psp.readNotification({ job: null, headers, body, at: AT })
}

describe('an event of a session', () => {
  it.each([
    ['checkout.session.completed', null],
    ['checkout.session.async_payment_succeeded', null],
    ['checkout.session.async_payment_failed', 'FAILURE'],
    ['checkout.session.expired', null],
  ])('that is %s is about its job, and says %j', async (type, claimedStatus) => {
    expect(await read(eventOf(type))).toEqual({
      is: 'about',
      payments: [{ job: paymentRequest.job, reference: REFERENCE, claimedStatus }],
    })
  })

  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])(
    'that is %s for a paid session says so',
    async (type) => {
      expect(await read(eventOf(type, session({ payment_status: 'paid' })))).toMatchObject({
        payments: [{ claimedStatus: 'SUCCESS' }],
      })
    },
  )

  it.each([null, undefined, ''])(
    'whose client_reference_id is %j names its job in its metadata',
    async (id) => {
      const object = session({ client_reference_id: id, metadata: { payment_job: paymentRequest.job } })
      expect(await read(eventOf('checkout.session.completed', object))).toMatchObject({
        payments: [{ job: paymentRequest.job }],
      })
    },
  )

  it.each([{}, { payment_job: '' }, { order: '7' }, null, undefined])(
    'that names no job but has the metadata %j is about nothing',
    async (metadata) => {
      const object = session({ client_reference_id: null, metadata })
      expect(await read(eventOf('checkout.session.completed', object))).toEqual(NOTHING)
    },
  )
})

describe('anything else that Stripe signs', () => {
  it.each([
    eventOf('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent' }),
    eventOf('paymentRequest.refunded', { id: 'ch_1', client_reference_id: paymentRequest.job }),
    eventOf('checkout.session.something_new'),
    eventOf('constructor'),
    eventOf('checkout.session.completed', null),
    eventOf('checkout.session.completed', { id: 7, client_reference_id: paymentRequest.job }),
    JSON.stringify({ id: 'evt_1', object: 'v2.core.event', type: 'v1.checkout.session.completed' }),
    '{}',
    'null',
    '[]',
    '',
    'not JSON',
  ])('is accepted, and about nothing: %s', async (body) => {
    expect(await read(body)).toEqual(NOTHING)
  })
})

describe('a signature', () => {
  it('may be the second of several, among schemes that do not count', async () => {
    const good = await v1(COMPLETED)
    const wrong = '0'.repeat(64)
    expect(await read(COMPLETED, `t=${AT / 1000},v1=${wrong},v1=${good},v0=${wrong}`)).toMatchObject({
      is: 'about',
    })
    expect(await read(COMPLETED, `t=${AT / 1000},v1=${wrong},v0=${good}`)).toEqual(UNAUTHENTIC)
  })

  it.each(['whsec_next whsec_before', 'whsec_next,whsec_before', 'whsec_before\nwhsec_next'])(
    'by either secret of %j is valid',
    async (secrets) => {
      for (const secret of ['whsec_before', 'whsec_next']) {
        const header = `t=${AT / 1000},v1=${await v1(COMPLETED, AT / 1000, secret)}`
        expect(await read(COMPLETED, header, secrets)).toMatchObject({ is: 'about' })
        expect(await read(COMPLETED, header)).toEqual(UNAUTHENTIC)
      }
    },
  )

  it.each([
    [0, 'about'],
    [-300, 'about'],
    [300, 'about'],
    [-301, 'unauthentic'],
    [301, 'unauthentic'],
    [-86_400, 'unauthentic'],
  ])('made %d seconds from now is %s', async (seconds, is) => {
    const time = AT / 1000 + seconds
    expect(await read(COMPLETED, `t=${time},v1=${await v1(COMPLETED, time)}`)).toMatchObject({ is })
  })

  it.each(['', 'now', '-1', '1e3', '99999999999999999999', `${AT}`])(
    'made at %j is refused',
    async (time) => {
      expect(await read(COMPLETED, `t=${time},v1=${await v1(COMPLETED, time)}`)).toEqual(UNAUTHENTIC)
    },
  )

  it('with two times is refused', async () => {
    const [time, good] = [AT / 1000, await v1(COMPLETED)]
    expect(await read(COMPLETED, `t=1,t=${time},v1=${good}`)).toEqual(UNAUTHENTIC)
    expect(await read(COMPLETED, `t=${time},t=1,v1=${good}`)).toEqual(UNAUTHENTIC)
  })

  it('that is cut short, in capitals or for another body is refused', async () => {
    const [time, good] = [AT / 1000, await v1(COMPLETED)]
    for (const wrong of [good.slice(0, -1), good.toUpperCase(), `${good}0`, await v1(`${COMPLETED} `)]) {
      expect(await read(COMPLETED, `t=${time},v1=${wrong}`)).toEqual(UNAUTHENTIC)
    }
  })

  it.each([
    null,
    '',
    ',',
    '=',
    't',
    'v1',
    't=,v1=',
    `t=${AT / 1000}`,
    `t=${AT / 1000},v1=`,
    `v1=${'0'.repeat(64)}`,
  ])('missing from the header %j is refused', async (header) => {
    expect(await read(COMPLETED, header)).toEqual(UNAUTHENTIC)
  })
})

async function readMoneyEvents(type: string, object: unknown, ...answers: Answers) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const signature = toHex(await hmac('SHA-256', WEBHOOK_SECRET, `${AT / 1000}.${body}`))
  const headers = new Headers({ 'stripe-signature': `t=${AT / 1000},v1=${signature}` })
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

describe('an event about money that is reserved or went back', () => {
  it.each([...MONEY_EVENTS])('%s is about the job in the metadata of its object', async (type) => {
    const metadata = { payment_job: paymentRequest.job }
    const { reading, asked } = await readMoneyEvents(
      type,
      charge({ metadata, capture_method: 'manual' }),
      NONE,
    )
    expect(reading).toEqual({
      is: 'about',
      payments: [{ job: paymentRequest.job, reference: null, claimedStatus: null }],
    })
    expect(asked).toEqual([])
  })

  it.each([{}, null, undefined, 'odd', { refund: 'r' }])(
    'with the metadata %j is about the job of the session of its payment intent',
    async (metadata) => {
      const { reading, asked } = await readMoneyEvents(
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

  it('is about nothing if the hub did not make the payment', async () => {
    const foreign = session({ client_reference_id: null, metadata: {} })
    expect((await readMoneyEvents('refund.updated', DISPUTE, sessions())).reading).toEqual(NOTHING)
    expect((await readMoneyEvents('refund.updated', DISPUTE, sessions(foreign))).reading).toEqual(NOTHING)
    expect(
      (await readMoneyEvents('refund.updated', DISPUTE, stripeError(404, 'No such intent'))).reading,
    ).toEqual(NOTHING)
    expect(
      (await readMoneyEvents('refund.updated', DISPUTE, stripeError(400, 'No such intent'))).reading,
    ).toEqual(NOTHING)
  })

  it.each([{ ...DISPUTE, payment_intent: null }, { id: 'du_1' }, { payment_intent: 7 }, null, 'ch_1'])(
    'that names no payment, %j, is about nothing, and needs no request',
    async (object) => {
      const { reading, asked } = await readMoneyEvents('charge.dispute.closed', object, NONE)
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
  ])('should come again after %s', async (_, answer) => {
    expect((await readMoneyEvents('charge.dispute.created', DISPUTE, answer)).reading).toMatchObject({
      is: 'unavailable',
    })
  })

  it('cannot lead to another address', async () => {
    const { asked } = await readMoneyEvents(
      'charge.dispute.created',
      { ...DISPUTE, payment_intent: 'pi&x=1#' },
      sessions(),
    )
    expect(asked[0]).toMatch(/payment_intent=pi%26x%3D1%23&limit=1$/)
  })
})

describe('a cancelled intent', () => {
  const metadata = { payment_job: paymentRequest.job }
  const MANUAL = { ...intent('canceled'), capture_method: 'manual', metadata }

  it('that reserves nothing is about nothing, because the session has an event of its own', async () => {
    const object = { ...MANUAL, capture_method: 'automatic_async' }
    expect((await readMoneyEvents('payment_intent.canceled', object, NONE)).reading).toEqual(NOTHING)
  })

  it.each([{}, null, undefined])(
    'of a payment that the hub did not make, %j, is about nothing',
    async (of) => {
      const object = { ...MANUAL, metadata: of }
      const { reading, asked } = await readMoneyEvents('payment_intent.canceled', object, NONE)
      expect([reading, asked]).toEqual([NOTHING, []])
    },
  )
})
