import { describe, expect, it } from 'vitest'
import { hmac } from '../../../src/platform/crypto/signing.ts'
import { toHex } from '../../../src/platform/crypto/hash.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { SECRET_KEY, WEBHOOK_SECRET, session } from './at-stripe.ts'
import { paymentRequest } from '../scripted.ts'

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
    'that names no job, but has the metadata %j, is about nothing',
    async (metadata) => {
      const object = session({ client_reference_id: null, metadata })
      expect(await read(eventOf('checkout.session.completed', object))).toEqual(NOTHING)
    },
  )
})

describe('what else Stripe signs', () => {
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
    'by either secret of %j is good',
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

  it('of two times is refused', async () => {
    const [time, good] = [AT / 1000, await v1(COMPLETED)]
    expect(await read(COMPLETED, `t=1,t=${time},v1=${good}`)).toEqual(UNAUTHENTIC)
    expect(await read(COMPLETED, `t=${time},t=1,v1=${good}`)).toEqual(UNAUTHENTIC)
  })

  it('that is cut short, in capitals or of another body is refused', async () => {
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
