import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import { patience } from '../patience.ts'
import { paymentRequestOf } from '../scripted.ts'
import { serve } from './serve.ts'

const fake = stripeFake()
const [account] = fake.accounts as [{ secretKey: string; webhookSecret: string }, unknown]
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(fake.handle)
})
afterAll(() => server.stop())

function client(): Stripe {
  return new Stripe(account.secretKey, {
    host: '127.0.0.1',
    port: new URL(server.url).port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

function psp() {
  return stripe.open({ fetch, mode: 'live', endpoint: server.url, credentials: account })
}

/** A payment that was announced by the adapter, and whose money stands so. */
async function held(money: Parameters<typeof fake.setMoney>[1]) {
  const job = crypto.randomUUID()
  const answer = await psp().announce(paymentRequestOf(job), patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  fake.setMoney(job, money)
  const { reference } = answer
  const { payment_intent } = await client().checkout.sessions.retrieve(reference)
  if (typeof payment_intent !== 'string') throw new Error('the payment intent is expanded')
  return {
    job,
    reference,
    intent: payment_intent,
    payment: { job, reference, payment: null },
  }
}

function wanted(amount = 500) {
  return { id: crypto.randomUUID(), amount, currency: 'EUR', description: 'A-7' }
}

describe("Stripe's own client, at the fake", () => {
  it('refunds a part, once under a key, and the rest, and no more', async () => {
    const { intent } = await held('paid')
    const { refunds, checkout } = client()
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
      expand: ['payment_intent.latest_charge'],
    })
    expect(payment_intent).toMatchObject({ latest_charge: { amount_refunded: 1250, refunded: true } })
  })

  it('pages through refunds', async () => {
    const { intent } = await held('paid')
    const { refunds } = client()
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

  it('captures what is reserved, once', async () => {
    const { intent } = await held('reserved')
    expect(await client().paymentIntents.capture(intent)).toMatchObject({ status: 'succeeded' })
    await expect(client().paymentIntents.capture(intent)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
  })

  it('sees disputes', async () => {
    const { job, intent } = await held('paid')
    await fake.dispute(job, { amount: 1250, status: 'needs_response', isWithdrawn: true }, Date.now())
    const [dispute] = (await client().disputes.list({ payment_intent: intent })).data
    expect(dispute).toMatchObject({ amount: 1250, status: 'needs_response', payment_intent: intent })
  })
})

describe('the adapter, at the same fake', () => {
  it('sees money under way arrive, or fail', async () => {
    const { job, reference } = await held('underway')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ status: 'PENDING', stage: { is: 'underway' } })
    fake.setMoney(job, 'failed')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ status: 'FAILURE', closed: true })
    fake.setMoney(job, 'paid')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('captures what is reserved', async () => {
    const { reference } = await held('reserved')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ stage: { is: 'authorized' } })
    expect(await psp().capture?.(reference, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(await psp().capture?.(reference, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('refunds once, finds it with and without its reference, and sees it done or failed', async () => {
    const { job, reference, payment } = await held('paid')
    const one = wanted()
    const taken = await psp().refund(payment, one)
    expect(await psp().refund(payment, one)).toEqual(taken)
    if (taken.is !== 'taken') throw new Error(JSON.stringify(taken))
    const found = await psp().pullRefund(payment, { ...one, reference: null })
    expect(found).toEqual(taken)
    expect(await psp().pullRefund(payment, { ...one, id: 'other', reference: null })).toEqual({
      is: 'unknown',
    })
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ refunded: 500 })
    await fake.endRefunds(job, 'succeeded', Date.now())
    expect(await psp().pullRefund(payment, { ...one, reference: taken.reference })).toMatchObject({
      state: 'done',
    })
    await fake.endRefunds(job, 'failed', Date.now())
    expect(await psp().pullRefund(payment, { ...one, reference: null })).toMatchObject({ is: 'failed' })
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, refunded: 0 })
  })

  it('is refused more than there is', async () => {
    const { payment } = await held('paid')
    expect(await psp().refund(payment, wanted(1251))).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('greater than unrefunded amount'),
    })
  })

  it('sees a dispute take the money, and give it back when it is won', async () => {
    const { job, reference } = await held('paid')
    const dispute = { amount: 1250, isWithdrawn: true }
    await fake.dispute(job, { ...dispute, status: 'needs_response' }, Date.now())
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, chargedBack: 1250 })
    await fake.dispute(job, { ...dispute, status: 'won' }, Date.now())
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, chargedBack: 0 })
  })

  it('finds the job of every event, by metadata or by the payment intent', async () => {
    const { job, reference, payment } = await held('paid')
    await psp().refund(payment, wanted())
    const at = Date.now()
    const sent = [
      ...(await fake.endRefunds(job, 'succeeded', at)),
      ...(await fake.dispute(job, { amount: 1, status: 'lost', isWithdrawn: true }, at)),
    ]
    const told = await Promise.all(
      sent.map(({ body, headers }) =>
        psp().readNotification({ job: null, headers: new Headers(headers), body, at }),
      ),
    )
    const about = (of: string | null) => ({
      is: 'about',
      payments: [{ job, reference: of, claimedStatus: null }],
    })
    expect(told).toEqual([about(null), about(null), about(reference)])
  })
})
