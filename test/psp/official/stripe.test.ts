import type { Psp } from '../../../src/psp/port.ts'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import { patience, paymentRequestOf } from '../scripted.ts'
import { serve } from './serve.ts'

type Keys = { secretKey: string; webhookSecret: string }

const fake = stripeFake()
const [account, other] = fake.accounts as readonly [Keys, Keys]
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(fake.handle)
})
afterAll(() => server.stop())

function clientOf(secretKey: string): Stripe {
  return new Stripe(secretKey, {
    host: '127.0.0.1',
    port: new URL(server.url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

function adapter(credentials: Keys = account): Psp {
  return stripe.open({ fetch, mode: 'live', endpoint: server.url, credentials })
}

function jobOf(): string {
  return crypto.randomUUID()
}

function wanted(job: string): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    client_reference_id: job,
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'eur', unit_amount: 1250, product_data: { name: 'Order A-7' } },
      },
    ],
    success_url: 'https://shop.nl/thanks?order=7',
    cancel_url: 'https://shop.nl/cancelled',
    allowed_payment_method_types: ['ideal'],
    locale: 'nl',
    metadata: { order: '7' },
  }
}

/** A payment that the adapter announced, with money in this state. */
async function held(money: Parameters<typeof fake.setMoney>[1]) {
  const job = crypto.randomUUID()
  const isReserved = money === 'reserved' || money === 'multicapture'
  const changes = isReserved ? ({ capture: 'manual', paymentMethod: 'card' } as const) : {}
  const answer = await adapter().announce(paymentRequestOf(job, changes), patience)
  if (answer.is !== 'announced' || answer.way !== 'page') throw new Error(JSON.stringify(answer))
  fake.setMoney(job, money)
  const { reference } = answer
  const { payment_intent } = await clientOf(account.secretKey).checkout.sessions.retrieve(reference)
  if (typeof payment_intent !== 'string') throw new Error('the payment intent is expanded')
  return { job, intent: payment_intent }
}

function requestOf(job: string) {
  return paymentRequestOf(job, { language: 'nl-BE' })
}

/** Announces a payment with the adapter. */
async function announced(job: string) {
  const answer = await adapter().announce(requestOf(job), patience)
  if (answer.is !== 'announced' || answer.way !== 'page') throw new Error(JSON.stringify(answer))
  return answer
}

describe("Stripe's own client", () => {
  it('creates a session and reads it again, in a list too', async () => {
    const { checkout } = clientOf(account.secretKey)
    const job = jobOf()
    const created = await checkout.sessions.create(wanted(job))
    expect(created).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: job,
      amount_total: 1250,
      currency: 'eur',
      allowed_payment_method_types: ['ideal'],
      metadata: { order: '7' },
      url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
    })
    expect(created.expires_at - created.created).toBe(86_400)
    expect(await checkout.sessions.retrieve(created.id)).toEqual(created)
    expect((await checkout.sessions.list({ limit: 1 })).data).toEqual([created])
  })

  it('gets the same session for the same idempotency key, and an error for a different request', async () => {
    const { checkout } = clientOf(account.secretKey)
    const job = jobOf()
    const idempotencyKey = job
    const first = await checkout.sessions.create(wanted(job), { idempotencyKey })
    const second = await checkout.sessions.create(wanted(job), { idempotencyKey })
    expect(second).toEqual(first)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    await expect(
      checkout.sessions.create({ ...wanted(job), locale: 'de' }, { idempotencyKey }),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  })

  it('stops a session once', async () => {
    const { checkout } = clientOf(account.secretKey)
    const { id } = await checkout.sessions.create(wanted(jobOf()))
    expect(await checkout.sessions.expire(id)).toMatchObject({ id, status: 'expired', url: null })
    await expect(checkout.sessions.expire(id)).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
  })

  it.each([
    [{ locale: 'tlh' }, 'locale'],
    [{ success_url: '/thanks' }, 'success_url'],
    [{ client_reference_id: 'x'.repeat(201) }, 'client_reference_id'],
    [{ allowed_payment_method_types: ['applepay'] }, 'allowed_payment_method_types[0]'],
    [{ payment_method_types: ['ideal'] }, 'payment_method_types'],
    [{ line_items: [] }, 'line_items'],
    [{ expires_at: 1 }, 'expires_at'],
    [{ webhook_url: 'https://shop.nl/webhook' }, 'webhook_url'],
  ])('is refused %j', async (changes, param) => {
    const creating = clientOf(account.secretKey).checkout.sessions.create({ ...wanted(jobOf()), ...changes })
    await expect(creating).rejects.toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param })
  })

  it("is refused with a wrong key, and for another account's session", async () => {
    const { id } = await clientOf(account.secretKey).checkout.sessions.create(wanted(jobOf()))
    const wrong = clientOf(`${account.secretKey}x`).checkout.sessions.retrieve(id)
    await expect(wrong).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    const foreign = clientOf(other.secretKey).checkout.sessions.retrieve(id)
    await expect(foreign).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
  })

  it('reads what the adapter has announced, and the adapter reads what the client has made', async () => {
    const { checkout } = clientOf(account.secretKey)
    const job = jobOf()
    const { reference, checkoutUrl, expiresAt } = await announced(job)
    expect(await checkout.sessions.retrieve(reference)).toMatchObject({
      mode: 'payment',
      client_reference_id: job,
      amount_total: 1250,
      currency: 'eur',
      locale: 'nl',
      success_url: requestOf(job).returnUrl,
      cancel_url: requestOf(job).cancelUrl,
      metadata: { payment_job: job },
      url: checkoutUrl,
      expires_at: (expiresAt ?? 0) / 1000,
    })
    const { id } = await checkout.sessions.create(wanted(jobOf()))
    expect(await adapter().ask(id, 'EUR')).toMatchObject({ is: 'observed', status: 'PENDING', paid: 0 })
  })
})

describe("Stripe's own client, with money that moves", () => {
  it('refunds a part, once under a key, and then the rest, but no more', async () => {
    const { intent } = await held('paid')
    const { refunds, checkout } = clientOf(account.secretKey)
    const one = { payment_intent: intent, amount: 500, metadata: { refund: 'r1' } }
    const first = await refunds.create(one, { idempotencyKey: 'r1' })
    expect(first).toMatchObject({
      object: 'refund',
      amount: 500,
      status: 'pending',
      metadata: { refund: 'r1' },
    })
    expect((await refunds.create(one, { idempotencyKey: 'r1' })).id).toBe(first.id)
    await refunds.create({ payment_intent: intent })
    const listed = await refunds.list({ payment_intent: intent })
    expect(listed.data.map(({ amount }) => amount)).toEqual([750, 500])
    expect(await refunds.retrieve(first.id)).toMatchObject({ id: first.id })
    await expect(refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    const [session] = (await checkout.sessions.list({ payment_intent: intent })).data
    const { payment_intent } = await checkout.sessions.retrieve(session?.id ?? '', {
      expand: ['payment_intent.latest_charge.refunds'],
    })
    expect(payment_intent).toMatchObject({
      latest_charge: {
        amount_refunded: 1250,
        refunded: true,
        refunds: { data: listed.data, has_more: false },
      },
    })
  })

  it('pages through refunds', async () => {
    const { intent } = await held('paid')
    const { refunds } = clientOf(account.secretKey)
    for (let count = 0; count < 3; count++) await refunds.create({ payment_intent: intent, amount: 1 })
    const page = await refunds.list({ payment_intent: intent, limit: 2 })
    expect([page.data.length, page.has_more]).toEqual([2, true])
    const rest = await refunds.list({
      payment_intent: intent,
      limit: 2,
      starting_after: page.data[1]?.id ?? '',
    })
    expect([rest.data.length, rest.has_more]).toEqual([1, false])
  })

  it('sees disputes', async () => {
    const { job, intent } = await held('paid')
    await fake.dispute(job, { amount: 1250, status: 'needs_response', isWithdrawn: true }, Date.now())
    const [dispute] = (await clientOf(account.secretKey).disputes.list({ payment_intent: intent })).data
    expect(dispute).toMatchObject({ amount: 1250, status: 'needs_response', payment_intent: intent })
  })
})

describe("Stripe's own client, with money that is reserved", () => {
  const client = () => clientOf(account.secretKey)
  const WITH_CHARGE = { expand: ['latest_charge'] }

  it('sees how much is held, and until when', async () => {
    const { intent } = await held('reserved')
    const seen = await client().paymentIntents.retrieve(intent, WITH_CHARGE)
    expect(seen).toMatchObject({
      status: 'requires_capture',
      capture_method: 'manual',
      amount: 1250,
      amount_capturable: 1250,
      amount_received: 0,
    })
    const { created, payment_method_details } = seen.latest_charge as Stripe.Charge
    expect(payment_method_details?.card?.capture_before).toBe(created + 7 * 86_400)
    expect(payment_method_details?.card?.multicapture).toEqual({ status: 'unavailable' })
  })

  it('captures everything, or a part, once', async () => {
    for (const [amount, rest] of [
      [1250, 0],
      [500, 750],
    ] as const) {
      const { intent } = await held('reserved')
      const captured = { amount_to_capture: amount, metadata: { note: 'x' }, ...WITH_CHARGE }
      expect(await client().paymentIntents.capture(intent, captured)).toMatchObject({
        status: 'succeeded',
        amount_capturable: 0,
        amount_received: amount,
        metadata: { note: 'x', payment_job: expect.any(String) },
        latest_charge: { captured: true, amount_captured: amount, amount_refunded: rest },
      })
      await expect(client().paymentIntents.capture(intent)).rejects.toMatchObject({
        code: 'payment_intent_unexpected_state',
      })
    }
  })

  it('captures several parts if the card allows that, and releases the rest', async () => {
    const { intent } = await held('multicapture')
    const part = { amount_to_capture: 500, final_capture: false, ...WITH_CHARGE }
    expect(await client().paymentIntents.capture(intent, part)).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 750,
      amount_received: 500,
      latest_charge: { captured: false, amount_captured: 500, amount_refunded: 0 },
    })
    const none = { amount_to_capture: 0, final_capture: true, ...WITH_CHARGE }
    expect(await client().paymentIntents.capture(intent, none)).toMatchObject({
      status: 'succeeded',
      amount_capturable: 0,
      amount_received: 500,
      latest_charge: { captured: true, amount_refunded: 0 },
    })
    await client().refunds.create({ payment_intent: intent, amount: 500 })
    await expect(client().refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
  })

  it.each([
    [{ amount_to_capture: 1251 }, 'amount_to_capture'],
    [{ amount_to_capture: 0 }, 'amount_to_capture'],
    [{ amount_to_capture: 500, final_capture: false }, 'final_capture'],
    [{ currency: 'eur' }, 'currency'],
  ])('is refused the capture %j', async (params, param) => {
    const { intent } = await held('reserved')
    const capturing = client().paymentIntents.capture(intent, params as Stripe.PaymentIntentCaptureParams)
    await expect(capturing).rejects.toMatchObject({ statusCode: 400, param })
    expect(await client().paymentIntents.capture(intent)).toMatchObject({ amount_received: 1250 })
  })

  it('cancels reserved money once, and can neither capture nor refund it then', async () => {
    const { intent } = await held('reserved')
    const reason = { cancellation_reason: 'abandoned', ...WITH_CHARGE } as const
    expect(await client().paymentIntents.cancel(intent, reason)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
      amount_capturable: 0,
      amount_received: 0,
      latest_charge: { captured: false, amount_refunded: 1250, refunded: true },
    })
    const state = { code: 'payment_intent_unexpected_state' }
    await expect(client().paymentIntents.cancel(intent)).rejects.toMatchObject(state)
    await expect(client().paymentIntents.capture(intent)).rejects.toMatchObject(state)
    await expect(client().refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      statusCode: 400,
    })
  })

  it('finds a reservation canceled after seven days', async () => {
    const { intent } = await held('reserved')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 })
    expect(await client().paymentIntents.retrieve(intent)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'automatic',
    })
    vi.useRealTimers()
  })

  it('cannot reserve money of a method that takes it at once', async () => {
    const params = { ...wanted(jobOf()), payment_intent_data: { capture_method: 'manual' } } as const
    await expect(client().checkout.sessions.create(params)).rejects.toMatchObject({ statusCode: 400 })
    expect(
      await client().checkout.sessions.create({ ...params, allowed_payment_method_types: ['card'] }),
    ).toMatchObject({ status: 'open' })
  })
})
