import {
  CaptureMethod,
  MollieApiError,
  PaymentEmbed,
  PaymentMethod,
  createMollieClient,
} from '@mollie/api-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
import { mollieFake } from '../../support/psps/mollie.ts'
import { patience, paymentRequestOf } from '../scripted.ts'
import { serve } from './serve.ts'

const fake = mollieFake()
const [{ apiKey }] = fake.accounts as [{ apiKey: string }, unknown]
let server: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  server = await serve(fake.handle)
  // The client speaks only https, the fake http, so the client's connections are made without TLS.
  vi.spyOn(Agent.prototype, 'createConnection').mockImplementation(() =>
    connect(Number(new URL(server.url).port), '127.0.0.1'),
  )
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  vi.restoreAllMocks()
  await server.stop()
})

function client(key = apiKey) {
  return createMollieClient({ apiKey: key, apiEndpoint: `${server.url.replace('http:', 'https:')}/v2/` })
}

function wanted(job: string) {
  return {
    amount: { currency: 'EUR', value: '12.50' },
    description: 'A-7',
    redirectUrl: 'https://hub.shop-payments.com/return/1',
    metadata: { paymentJob: job },
  }
}

async function errorOf(call: Promise<unknown>): Promise<MollieApiError> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  if (error instanceof MollieApiError) return error
  throw new Error('the call did not fail as Mollie fails')
}

function psp() {
  return mollie.open({ fetch, mode: 'live', credentials: { apiKey }, endpoint: `${server.url}/v2` })
}

/** A payment that the adapter has announced, with a status. */
async function held(status: Parameters<typeof fake.setStatus>[0]) {
  const job = crypto.randomUUID()
  const answer = await psp().announce(paymentRequestOf(job), patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  fake.setStatusOf(job, status)
  return { reference: answer.reference }
}

function eur(value: string) {
  return { currency: 'EUR', value }
}

describe("Mollie's own client, at the fake", () => {
  it('creates a payment, gets it again, and sees it paid', async () => {
    const { payments } = client()
    const created = await payments.create(wanted('job-1'))
    expect(created).toMatchObject({ ...wanted('job-1'), status: 'open', isCancelable: true })
    expect(created.getCheckoutUrl()).toMatch(/^https:/)
    fake.bring('job-1', 'paid')
    expect(await payments.get(created.id)).toMatchObject({ id: created.id, status: 'paid' })
  })

  it('gets the same payment for the same idempotency key', async () => {
    const { payments } = client()
    const twice = { ...wanted('job-2'), idempotencyKey: 'twice' }
    const [first, second] = [await payments.create(twice), await payments.create(twice)]
    expect(second.id).toBe(first.id)
    expect((await errorOf(payments.create({ ...twice, description: 'other' }))).statusCode).toBe(400)
  })

  it('gets its first answer again for an hour, whatever has changed, and then another payment', async () => {
    const { payments } = client()
    const again = { ...wanted('job-7'), idempotencyKey: 'again' }
    const first = await payments.create(again)
    fake.bring('job-7', 'paid')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_500_000 })
    const repeated = await payments.create(again)
    expect(repeated).toMatchObject({ id: first.id, status: 'open' })
    expect(repeated.getCheckoutUrl()).toBe(first.getCheckoutUrl())
    vi.setSystemTime(Date.now() + 100_001)
    expect((await payments.create(again)).id).not.toBe(first.id)
  })

  it('sees when a payment expires, if that is set', async () => {
    const { payments } = client()
    expect(await payments.create(wanted('job-8'))).not.toHaveProperty('expiresAt')
    fake.life = 900_000
    const before = Date.now()
    const { expiresAt } = await payments.create(wanted('job-9'))
    fake.life = null
    const life = Date.parse(expiresAt ?? '') - before
    expect(life).toBeGreaterThanOrEqual(900_000)
    expect(life).toBeLessThan(910_000)
  })

  it.each(['pending', 'failed', 'expired'] as const)(
    'sees a payment that is %s, and cannot cancel it',
    async (status) => {
      const { payments } = client()
      const { id } = await payments.create(wanted('job-10'))
      fake.setStatus(status)
      const seen = await payments.get(id)
      expect(seen).toMatchObject({ id, status, isCancelable: false })
      expect(seen.getCheckoutUrl()).toBeNull()
      expect((await errorOf(payments.cancel(id))).statusCode).toBe(422)
    },
  )

  it('cancels an open payment, and no other', async () => {
    const { payments } = client()
    const { id } = await payments.create(wanted('job-3'))
    expect(await payments.cancel(id)).toMatchObject({ id, status: 'canceled' })
    expect((await errorOf(payments.cancel(id))).statusCode).toBe(422)
  })

  it('reads its errors', async () => {
    expect(await errorOf(client().payments.get('tr_unknown'))).toMatchObject({ statusCode: 404 })
    expect(await errorOf(client('live_nobodyhasthis').payments.get('tr_x'))).toMatchObject({
      statusCode: 401,
    })
    const incomplete = { ...wanted('job-4'), description: '' }
    expect(await errorOf(client().payments.create(incomplete))).toMatchObject({
      statusCode: 422,
      field: 'amount',
    })
  })
})

describe("Mollie's own client, with money that moves", () => {
  it('refunds a part, once under a key, and then the rest, but no more', async () => {
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
    expect((await errorOf(more)).statusCode).toBe(422)
    expect((await errorOf(paymentRefunds.get('re_unknown12', { paymentId }))).statusCode).toBe(404)
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

  it('holds money only by the methods that can', async () => {
    const { payments } = client()
    const manual = {
      ...wanted('job-11'),
      captureMode: CaptureMethod.manual,
      method: PaymentMethod.creditcard,
    }
    const { id } = await payments.create(manual)
    expect(await payments.get(id)).toMatchObject({ status: 'open', captureMode: 'manual' })
    fake.bring('job-11', 'paid')
    const seen = await payments.get(id)
    expect(seen).toMatchObject({ status: 'authorized', amountCaptured: eur('0.00') })
    expect(Date.parse(seen.captureBefore ?? '') - Date.parse(seen.authorizedAt ?? '')).toBe(7 * 86_400_000)
    expect(await errorOf(payments.create({ ...manual, method: PaymentMethod.ideal }))).toMatchObject({
      statusCode: 422,
      field: 'captureMode',
    })
  })

  it('captures parts of reserved money, but no more, and refunds only what is captured', async () => {
    const { reference: paymentId } = await held('authorized')
    const { paymentCaptures, paymentRefunds, payments } = client()
    const refund = { paymentId, amount: eur('1.00'), description: 'early' }
    expect((await errorOf(paymentRefunds.create(refund))).statusCode).toBe(422)
    const part = { paymentId, amount: eur('5.00'), metadata: { capture: 'c1' }, idempotencyKey: 'c1' }
    const first = await paymentCaptures.create(part)
    expect(first).toMatchObject({ paymentId, amount: eur('5.00'), metadata: { capture: 'c1' } })
    expect((await paymentCaptures.create(part)).id).toBe(first.id)
    expect(await paymentCaptures.get(first.id, { paymentId })).toMatchObject({ status: 'succeeded' })
    expect(await payments.get(paymentId)).toMatchObject({
      status: 'authorized',
      amountCaptured: eur('5.00'),
    })
    await paymentRefunds.create(refund)
    const more = paymentCaptures.create({ paymentId, amount: eur('7.51') })
    expect(await errorOf(more)).toMatchObject({ statusCode: 422, field: 'amount' })
    await paymentCaptures.create({ paymentId })
    expect((await paymentCaptures.page({ paymentId })).map(({ amount }) => amount.value)).toEqual([
      '7.50',
      '5.00',
    ])
    expect(await payments.get(paymentId)).toMatchObject({ status: 'paid', amountCaptured: eur('12.50') })
    expect((await errorOf(paymentCaptures.create({ paymentId }))).statusCode).toBe(422)
  })

  it('gets a payment with all that moved, as the adapter does', async () => {
    const { reference } = await held('authorized')
    const { payments, paymentCaptures, paymentRefunds } = client()
    const [paymentId, metadata] = [reference, { capture: 'c1', refund: 'r1' }]
    const capture = await paymentCaptures.create({ paymentId, amount: eur('8.00'), metadata })
    const refund = await paymentRefunds.create({
      paymentId,
      amount: eur('5.00'),
      description: 'part',
      metadata,
    })
    const { job } = fake.payments.findLast(({ id }) => id === reference) ?? {}
    for (const total of [750, 0]) fake.chargeBack(job ?? '', total)
    const embed = [PaymentEmbed.captures, PaymentEmbed.refunds, PaymentEmbed.chargebacks]
    expect(await payments.get(reference, { embed })).toMatchObject({
      _embedded: {
        captures: [{ id: capture.id, amount: eur('8.00'), status: 'succeeded' }],
        refunds: [{ id: refund.id, amount: eur('5.00'), status: 'pending' }],
        chargebacks: [{ amount: eur('7.50'), reversedAt: expect.any(String) }],
      },
    })
    expect(await psp().ask(reference, 'EUR')).toMatchObject({
      transfers: {
        capture: [{ id: capture.id, own: 'c1', amount: 800, state: 'done' }],
        refund: [{ id: refund.id, own: 'r1', amount: 500, state: 'pending' }],
        dispute: [{ amount: 750, state: 'returned' }],
      },
    })
  })

  it('releases what is left, but nothing that is not authorized', async () => {
    const { payments, paymentCaptures } = client()
    const [whole, part] = [await held('authorized'), await held('authorized')]
    await paymentCaptures.create({ paymentId: part.reference, amount: eur('5.00') })
    for (const { reference } of [whole, part])
      expect(await payments.releaseAuthorization(reference)).toBe(true)
    expect(await payments.get(whole.reference)).toMatchObject({ status: 'canceled' })
    expect(await payments.get(part.reference)).toMatchObject({ status: 'paid', amountCaptured: eur('5.00') })
    for (const { reference } of [whole, part])
      expect((await errorOf(payments.releaseAuthorization(reference))).statusCode).toBe(422)
  })

  it('sees reserved money expire', async () => {
    const { reference } = await held('authorized')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 })
    expect(await client().payments.get(reference)).toMatchObject({ status: 'expired' })
  })
})

describe("Mollie's own client, with terminals", () => {
  const TERMINAL = 'term_7MgL4wea46qkRcoTZjWEH'
  const atTerminal = (job: string, terminalId = TERMINAL) => ({
    ...wanted(job),
    method: PaymentMethod.pointofsale,
    terminalId,
  })

  it('lists and gets terminals', async () => {
    const { terminals } = client()
    const page = await terminals.page({ limit: 2 })
    expect(page.map(({ id, status }) => [id, status])).toEqual([
      [TERMINAL, 'active'],
      ['term_vytxeTZskVKR7C7WgdSP3d', 'active'],
    ])
    const rest = await terminals.page({ limit: 2, from: page.nextPageCursor ?? '' })
    expect(rest.map(({ status, currency }) => [status, currency])).toEqual([['inactive', 'EUR']])
    expect(await terminals.get(TERMINAL)).toMatchObject({ id: TERMINAL, description: 'Counter 1' })
    expect((await errorOf(terminals.get('term_unknown'))).statusCode).toBe(404)
  })

  it('pays at a terminal, which has no page and takes one payment at a time', async () => {
    const { payments } = client()
    const created = await payments.create(atTerminal('job-20'))
    expect(created).toMatchObject({
      status: 'open',
      method: 'pointofsale',
      details: { terminalId: TERMINAL },
    })
    expect(created.getCheckoutUrl()).toBeNull()
    expect(created.isCancelable).toBe(true)
    const busy = await payments.create(atTerminal('job-21'))
    expect(await payments.get(busy.id)).toMatchObject({
      status: 'failed',
      statusReason: { code: 'terminal_busy' },
    })
    expect((await payments.page({ limit: 2 })).map(({ id }) => id)).toEqual([busy.id, created.id])
    fake.payAtTerminal('job-20', 150)
    expect(await payments.get(created.id)).toMatchObject({
      status: 'paid',
      amount: eur('14.00'),
      details: { cardNumber: '4335', cardLabel: 'Visa' },
    })
  })

  it('accepts no terminal that is unknown or gone, and only its own currency', async () => {
    const { payments } = client()
    for (const id of ['term_unknown', 'term_gone'])
      expect(await errorOf(payments.create(atTerminal('job-22', id)))).toMatchObject({
        statusCode: 422,
        field: 'terminalId',
      })
    const other = { ...atTerminal('job-22'), amount: { currency: 'GBP', value: '1.00' } }
    expect((await errorOf(payments.create(other))).statusCode).toBe(422)
  })

  it('cancels a payment until the customer shows a card', async () => {
    const { payments } = client()
    const first = await payments.create(atTerminal('job-23'))
    expect(await payments.cancel(first.id)).toMatchObject({ status: 'canceled' })
    const second = await payments.create(atTerminal('job-24'))
    fake.showCard('job-24')
    expect(await payments.get(second.id)).toMatchObject({ status: 'open', isCancelable: false })
    expect((await errorOf(payments.cancel(second.id))).statusCode).toBe(422)
    fake.failAtTerminal('job-24', 'invalid_pin', 'Invalid PIN.')
    expect(await payments.get(second.id)).toMatchObject({
      status: 'failed',
      statusReason: { code: 'invalid_pin', message: 'Invalid PIN.' },
    })
  })

  it('sees what the adapter sends to a terminal', async () => {
    const terminal = { id: TERMINAL, isSent: false, mayStart: true }
    const answer = await psp().terminals?.announce({ ...paymentRequestOf('job-25'), terminal }, patience)
    if (answer?.is !== 'announced') throw new Error(JSON.stringify(answer))
    const { payments, terminals } = client()
    expect(await payments.get(answer.reference)).toMatchObject({
      status: 'open',
      method: 'pointofsale',
      details: { terminalId: TERMINAL },
    })
    expect(await psp().terminals?.stop(answer.reference, 'EUR')).toMatchObject({ status: 'CANCELLED' })
    expect(await payments.get(answer.reference)).toMatchObject({ status: 'canceled' })
    const listed = await psp().terminals?.list()
    expect(listed?.is === 'listed' && listed.terminals.map(({ id }) => id)).toEqual(
      (await terminals.page()).map(({ id }) => id),
    )
  })
})
