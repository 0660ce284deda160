import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import { patience, paymentRequestOf } from '../scripted.ts'

/** Signatures need no server, because Stripe's library makes and checks them itself. */
const { webhooks } = Stripe
const AT = Date.UTC(2026, 10, 21, 10, 15)
const secret = `whsec_${crypto.randomUUID()}`
const JOB = crypto.randomUUID()

const payload = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_live_1', object: 'checkout.session', client_reference_id: JOB, note: 'café' } },
})
function signed(by = secret, at = AT): string {
  return webhooks.generateTestHeaderString({ payload, secret: by, timestamp: Math.floor(at / 1000) })
}

function adapter(webhookSecret: string) {
  return stripe.open({
    fetch: async () => new Response('', { status: 500 }),
    mode: 'live',
    credentials: { secretKey: ['sk', 'live', 'x'].join('_'), webhookSecret },
  })
}

function read(signature: string, body = payload, webhookSecret = secret, at = AT) {
  return adapter(webhookSecret).readNotification({
    job: null,
    headers: new Headers({ 'stripe-signature': signature }),
    body,
    at,
  })
}

const ABOUT = { is: 'about', payments: [{ job: JOB, reference: 'cs_live_1', claimedStatus: null }] }

/** Every text that differs from this one in one character. */
function changed(text: string): string[] {
  return Array.from(
    text,
    (char, place) => text.slice(0, place) + (char === '0' ? '1' : '0') + text.slice(place + 1),
  )
}

describe("a signature of Stripe's library", () => {
  it('is accepted', async () => {
    expect(await read(signed())).toEqual(ABOUT)
    expect(
      await read(await webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp: AT / 1000 })),
    ).toEqual(ABOUT)
  })

  it('is refused if any character of the header changes', async () => {
    const readings = await Promise.all(changed(signed()).map((signature) => read(signature)))
    expect(readings.every(({ is }) => is === 'unauthentic')).toBe(true)
  })

  it('is refused if any character of the body changes', async () => {
    const readings = await Promise.all(changed(payload).map((body) => read(signed(), body)))
    expect(readings.every(({ is }) => is === 'unauthentic')).toBe(true)
  })
})

describe('an event of the fake Stripe', () => {
  it.each([
    ['paid', ['checkout.session.completed']],
    ['failed', ['checkout.session.completed', 'checkout.session.async_payment_failed']],
    ['expired', ['checkout.session.expired']],
    ['cancelled', []],
  ] as const)(
    "of a payment that was %s is signed to Stripe's library and to the adapter",
    async (outcome, types) => {
      const fake = stripeFake()
      const credentials = fake.accounts[0] as { secretKey: string; webhookSecret: string }
      const psp = stripe.open({ fetch: fake.handle, mode: 'live', credentials })
      const request = paymentRequestOf(JOB, { paymentMethod: 'sepa' })
      const answer = await psp.announce(request, patience)
      const reference = answer.is === 'announced' ? answer.reference : ''
      fake.bring(JOB, outcome)
      const sent = await fake.notify(JOB, AT)
      expect(sent.map(({ url }) => url)).toEqual(types.map(() => null))
      const events = sent.map(({ body, headers }) =>
        webhooks.constructEvent(
          body,
          headers['stripe-signature'] ?? '',
          credentials.webhookSecret,
          300,
          undefined,
          AT,
        ),
      )
      expect(events.map(({ type }) => type)).toEqual(types)
      for (const { body, headers } of sent) {
        const isFailed = body.includes('async_payment_failed')
        const claimedStatus = isFailed ? 'FAILURE' : outcome === 'paid' ? 'SUCCESS' : null
        const reading = await psp.readNotification({ job: null, headers: new Headers(headers), body, at: AT })
        expect(reading).toEqual({ is: 'about', payments: [{ job: JOB, reference, claimedStatus }] })
      }
    },
  )
})

it("an event of the fake Stripe about reserved money has a valid signature for Stripe's library, and leads to the job", async () => {
  const fake = stripeFake()
  const credentials = fake.accounts[0] as { secretKey: string; webhookSecret: string }
  const psp = stripe.open({ fetch: fake.handle, mode: 'live', credentials })
  const [kept, released] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const job of [kept, released]) {
    await psp.announce(paymentRequestOf(job, { paymentMethod: 'card', capture: 'manual' }), patience)
    fake.bring(job, 'paid')
  }
  const sent = [
    ...(await fake.notify(kept, AT)).slice(1),
    ...(await fake.captureThere(kept, 500, true, AT)),
    ...(await fake.releaseThere(released, AT)),
  ]
  const types = sent.map(({ body, headers }) => {
    const signature = headers['stripe-signature'] ?? ''
    return webhooks.constructEvent(body, signature, credentials.webhookSecret, 300, undefined, AT).type
  })
  expect(types).toEqual([
    'payment_intent.amount_capturable_updated',
    'payment_intent.amount_capturable_updated',
    'charge.captured',
    'payment_intent.canceled',
  ])
  for (const [index, { body, headers }] of sent.entries()) {
    const reading = await psp.readNotification({ job: null, headers: new Headers(headers), body, at: AT })
    const job = index < 3 ? kept : released
    expect(reading).toEqual({ is: 'about', payments: [{ job, reference: null, claimedStatus: null }] })
  }
})
