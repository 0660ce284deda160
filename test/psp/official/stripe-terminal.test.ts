import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stripeFake } from '../../support/psps/stripe.ts'
import { serve } from './serve.ts'

type Keys = { secretKey: string; webhookSecret: string }

const fake = stripeFake()
const [account] = fake.accounts as readonly [Keys, Keys]
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(fake.handle)
})
afterAll(() => server.stop())

function clientOf(): Stripe {
  return new Stripe(account.secretKey, {
    host: '127.0.0.1',
    port: new URL(server.url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

const WANTED: Stripe.PaymentIntentCreateParams = {
  amount: 1250,
  currency: 'eur',
  allowed_payment_method_types: ['card_present'],
  capture_method: 'automatic',
  metadata: { order: '7' },
}

type Presented = Parameters<Stripe['testHelpers']['terminal']['readers']['presentPaymentMethod']>[1]

/** A payment intent that waits for a card at a reader of its own. */
async function waiting() {
  const client = clientOf()
  const reader = fake.addReader()
  const { id } = await client.paymentIntents.create(WANTED)
  await client.terminal.readers.processPaymentIntent(reader.id, { payment_intent: id })
  return {
    client,
    reader,
    id,
    readers: client.terminal.readers,
    seen: () => client.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
    present: (params: Presented = {}) =>
      client.testHelpers.terminal.readers.presentPaymentMethod(reader.id, params),
  }
}

const REFUSED = { statusCode: 400, rawType: 'invalid_request_error' }

describe("Stripe's own client, with a reader", () => {
  it('creates a payment intent for cards at a counter', async () => {
    const { paymentIntents } = clientOf()
    const made = await paymentIntents.create(WANTED)
    expect(made).toMatchObject({
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount: 1250,
      amount_received: 0,
      currency: 'eur',
      allowed_payment_method_types: ['card_present'],
      capture_method: 'automatic',
      metadata: { order: '7' },
      latest_charge: null,
      last_payment_error: null,
    })
    expect(await paymentIntents.retrieve(made.id)).toEqual(made)
    const job = crypto.randomUUID()
    const { id } = await paymentIntents.create({ ...WANTED, metadata: { job } })
    const found = await paymentIntents.search({ query: `metadata['job']:'${job}'` })
    expect(found).toMatchObject({ object: 'search_result', data: [{ id }] })
    await expect(paymentIntents.search({ query: 'everything' })).rejects.toMatchObject({ statusCode: 400 })
    const old = { ...WANTED, payment_method_types: ['card_present'] }
    await expect(paymentIntents.create(old)).rejects.toMatchObject({
      ...REFUSED,
      code: 'payment_method_types_no_longer_supported',
    })
    await expect(clientOf().checkout.sessions.retrieve(made.id)).rejects.toMatchObject({ statusCode: 404 })
    expect((await clientOf().checkout.sessions.list({ payment_intent: made.id })).data).toEqual([])
  })

  it('makes the reader process it, and sees it paid, with the tip', async () => {
    const { id, readers, reader, present, seen } = await waiting()
    expect(await readers.retrieve(reader.id)).toMatchObject({
      object: 'terminal.reader',
      status: 'online',
      action: {
        type: 'process_payment_intent',
        status: 'in_progress',
        failure_code: null,
        process_payment_intent: { payment_intent: id },
      },
    })
    expect((await present({ amount_tip: 250 })).action).toMatchObject({ status: 'succeeded' })
    const paid = await seen()
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount: 1500,
      amount_received: 1500,
      amount_details: { tip: { amount: 250 } },
    })
    const { payment_method_details: details } = paid.latest_charge as Stripe.Charge
    expect(details).toMatchObject({
      type: 'card_present',
      card_present: { brand: 'visa', last4: '4242', receipt: { authorization_code: expect.any(String) } },
    })
  })

  it('may try the same payment intent again after a decline', async () => {
    const { id, readers, reader, present, seen } = await waiting()
    const declined = await present({ card_present: { number: '4000000000000002' } })
    expect(declined.action).toMatchObject({
      status: 'failed',
      failure_code: 'card_declined',
      api_error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
    })
    expect(await seen()).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
    })
    await readers.processPaymentIntent(reader.id, { payment_intent: id })
    await present()
    expect(await seen()).toMatchObject({ status: 'succeeded', last_payment_error: null })
    await expect(readers.processPaymentIntent(reader.id, { payment_intent: id })).rejects.toMatchObject({
      ...REFUSED,
      code: 'intent_invalid_state',
    })
  })

  it('does one thing: a payment replaces another one until a card is presented', async () => {
    const { client, readers, reader, id, present, seen } = await waiting()
    const other = await client.paymentIntents.create(WANTED)
    await readers.processPaymentIntent(reader.id, { payment_intent: other.id })
    await present()
    expect(await seen()).toMatchObject({ id, status: 'requires_payment_method' })
    expect(await client.paymentIntents.retrieve(other.id)).toMatchObject({ status: 'succeeded' })
    reader.isAuthorising = true
    const busy = { ...REFUSED, code: 'terminal_reader_busy' }
    await expect(readers.processPaymentIntent(reader.id, { payment_intent: id })).rejects.toMatchObject(busy)
    await expect(readers.cancelAction(reader.id)).rejects.toMatchObject(busy)
  })

  it('cancels the action, and the payment intent for good', async () => {
    const { client, readers, reader, id } = await waiting()
    expect(await readers.cancelAction(reader.id)).toMatchObject({ action: null })
    expect(await client.paymentIntents.cancel(id)).toMatchObject({ status: 'canceled', amount_received: 0 })
    await expect(client.paymentIntents.cancel(id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    await expect(readers.processPaymentIntent(reader.id, { payment_intent: id })).rejects.toMatchObject({
      code: 'intent_invalid_state',
    })
  })

  it('takes no money for a payment intent that was canceled while a reader has it', async () => {
    const { client, id, present, seen } = await waiting()
    await client.paymentIntents.cancel(id)
    expect((await present()).action).toMatchObject({ status: 'failed' })
    expect(await seen()).toMatchObject({ status: 'canceled', amount_received: 0 })
  })

  it.each([['reached'], ['lost']] as const)('sees a timeout of a command that was %s', async (what) => {
    const { paymentIntents, terminal } = clientOf()
    const { id } = await paymentIntents.create(WANTED)
    const reader = fake.addReader({ timeouts: [what] })
    const process = () => terminal.readers.processPaymentIntent(reader.id, { payment_intent: id })
    await expect(process()).rejects.toMatchObject({ ...REFUSED, code: 'terminal_reader_timeout' })
    const { action } = (await terminal.readers.retrieve(reader.id)) as Stripe.Terminal.Reader
    expect(action?.process_payment_intent?.payment_intent).toBe(what === 'reached' ? id : undefined)
    expect(await process()).toMatchObject({ action: { status: 'in_progress' } })
  })

  it('is refused a reader that is off or unknown, and words that Stripe does not know', async () => {
    const { client, readers, id } = await waiting()
    const off = fake.addReader({ status: 'offline' })
    await expect(readers.processPaymentIntent(off.id, { payment_intent: id })).rejects.toMatchObject({
      code: 'terminal_reader_offline',
    })
    await expect(readers.processPaymentIntent('tmr_none', { payment_intent: id })).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    const online = fake.addReader()
    const online2 = { payment_intent: 'pi_none' }
    await expect(readers.processPaymentIntent(online.id, online2)).rejects.toMatchObject({ statusCode: 404 })
    const wrong = { payment_intent: id, amount: 5 }
    await expect(readers.processPaymentIntent(online.id, wrong)).rejects.toMatchObject({ param: 'amount' })
    await expect(client.paymentIntents.create({ ...WANTED, amount: 0 })).rejects.toMatchObject({
      param: 'amount',
    })
  })

  it('lists readers in pages', async () => {
    const { terminal } = clientOf()
    const made = Array.from({ length: 3 }, () => fake.addReader())
    const page = await terminal.readers.list({ limit: 2 })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([
      made
        .slice(1)
        .map(({ id }) => id)
        .toReversed(),
      true,
    ])
    const ids: string[] = []
    for await (const { id } of terminal.readers.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
  })
})
