import { Agent } from 'node:https'
import { connect } from 'node:net'
import { MollieApiError, PaymentStatus, RefundStatus, createMollieClient } from '@mollie/api-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { MollieRefundStatus, MollieStatus } from '../../../src/psp/mollie/tables.ts'
import { mollieFake } from '../../support/psps/mollie.ts'
import { patience } from '../patience.ts'
import { paymentRequestOf } from '../scripted.ts'
import { serve } from './serve.ts'

const fake = mollieFake()
const [{ apiKey }] = fake.accounts as [{ apiKey: string }, unknown]
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(fake.handle)
  // The client speaks https only, the fake http: the client's connections are made without TLS.
  vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(() =>
    connect(Number(new URL(server.url).port), '127.0.0.1'),
  )
})
afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

function client() {
  return createMollieClient({ apiKey, apiEndpoint: `${server.url.replace('http:', 'https:')}/v2/` })
}

function psp() {
  return mollie.open({ fetch, mode: 'live', credentials: { apiKey }, endpoint: `${server.url}/v2` })
}

/** A payment that the adapter has announced, in a status. */
async function held(status: Parameters<typeof fake.setStatus>[0]) {
  const job = crypto.randomUUID()
  const answer = await psp().announce(paymentRequestOf(job), patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  fake.setStatusOf(job, status)
  const { reference } = answer
  return { job, reference, payment: { job, reference, payment: null } }
}

function wanted(amount = 500) {
  return { id: crypto.randomUUID(), amount, currency: 'EUR', description: 'A-7' }
}
function eur(value: string) {
  return { currency: 'EUR', value }
}

async function statusCodeOf(call: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  return error instanceof MollieApiError ? error.statusCode : undefined
}

describe("the words of Mollie's own client", () => {
  it('for payments and refunds are those of the tables', () => {
    expect(MollieStatus.options.toSorted()).toEqual(Object.values(PaymentStatus).toSorted())
    expect(MollieRefundStatus.options.toSorted()).toEqual(Object.values(RefundStatus).toSorted())
  })
})

describe("Mollie's own client, at the fake", () => {
  it('refunds a part, once under a key, and the rest, and no more', async () => {
    const { reference: paymentId } = await held('paid')
    const { paymentRefunds, payments } = client()
    const one = { paymentId, amount: eur('5.00'), description: 'part', metadata: { refund: 'r1' } }
    const first = await paymentRefunds.create({ ...one, idempotencyKey: 'r1' })
    expect(first).toMatchObject({ status: 'pending', amount: eur('5.00'), metadata: { refund: 'r1' } })
    expect((await paymentRefunds.create({ ...one, idempotencyKey: 'r1' })).id).toBe(first.id)
    expect(await paymentRefunds.get(first.id, { paymentId })).toMatchObject({ id: first.id, paymentId })
    await paymentRefunds.create({ paymentId, amount: eur('7.50'), description: 'rest' })
    expect((await paymentRefunds.page({ paymentId })).map(({ amount }) => amount.value)).toEqual([
      '7.50',
      '5.00',
    ])
    expect(await payments.get(paymentId)).toMatchObject({
      status: 'paid',
      amountRefunded: eur('12.50'),
      amountRemaining: eur('0.00'),
    })
    const more = paymentRefunds.create({ paymentId, amount: eur('0.01'), description: 'more' })
    expect(await statusCodeOf(more)).toBe(422)
    expect(await statusCodeOf(paymentRefunds.get('re_unknown12', { paymentId }))).toBe(404)
  })

  it('pages through refunds', async () => {
    const { reference: paymentId } = await held('paid')
    const { paymentRefunds } = client()
    for (let count = 0; count < 3; count++) {
      await paymentRefunds.create({ paymentId, amount: eur('1.00'), description: String(count) })
    }
    const page = await paymentRefunds.page({ paymentId, limit: 2 })
    expect([page.length, page.nextPageCursor]).toEqual([2, expect.stringMatching(/^re_/)])
    const rest = await paymentRefunds.page({ paymentId, limit: 2, from: page.nextPageCursor ?? '' })
    expect(rest.map(({ description }) => description)).toEqual(['0'])
  })

  it('captures what is reserved, once, and refunds nothing that is not paid', async () => {
    const { reference: paymentId } = await held('authorized')
    const { paymentCaptures, paymentRefunds, payments } = client()
    const early = paymentRefunds.create({ paymentId, amount: eur('1.00'), description: 'early' })
    expect(await statusCodeOf(early)).toBe(422)
    expect(await paymentCaptures.create({ paymentId })).toMatchObject({ paymentId, status: 'succeeded' })
    expect(await payments.get(paymentId)).toMatchObject({ status: 'paid', amountCaptured: eur('12.50') })
    expect(await statusCodeOf(paymentCaptures.create({ paymentId }))).toBe(422)
  })
})

describe('the adapter, at the same fake', () => {
  it('sees money under way arrive', async () => {
    const { job, reference } = await held('pending')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ status: 'PENDING', stage: { is: 'underway' } })
    fake.setStatusOf(job, 'paid')
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('captures what is reserved, however often it is asked to', async () => {
    const { reference } = await held('authorized')
    expect(await psp().capture?.(reference, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(await psp().capture?.(reference, 1250, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('refunds once, finds it with and without its reference, and sees it done or failed', async () => {
    const { job, reference, payment } = await held('paid')
    const one = wanted()
    const taken = await psp().refund(payment, one)
    expect(await psp().refund(payment, one)).toEqual(taken)
    if (taken.is !== 'taken') throw new Error(JSON.stringify(taken))
    expect(await psp().pullRefund(payment, { ...one, reference: null })).toEqual(taken)
    expect(await psp().pullRefund(payment, { ...one, id: 'other', reference: null })).toEqual({
      is: 'unknown',
    })
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ refunded: 500 })
    fake.endRefunds(job, 'refunded')
    expect(await psp().pullRefund(payment, { ...one, reference: taken.reference })).toMatchObject({
      state: 'done',
    })
    fake.endRefunds(job, 'failed')
    expect(await psp().pullRefund(payment, { ...one, reference: null })).toMatchObject({ is: 'failed' })
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, refunded: 0 })
    expect(await psp().refund(payment, wanted(1251))).toMatchObject({ is: 'refused' })
  })

  it('sees a chargeback, and that it was reversed', async () => {
    const { job, reference } = await held('paid')
    fake.chargeBack(job, 1250)
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, chargedBack: 1250 })
    fake.chargeBack(job, 0)
    expect(await psp().pull(reference, 'EUR')).toMatchObject({ paid: 1250, chargedBack: 0 })
  })
})
