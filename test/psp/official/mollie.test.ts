import { Agent } from 'node:https'
import { connect } from 'node:net'
import { MollieApiError, createMollieClient } from '@mollie/api-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mollie } from '../../../src/psp/mollie/adapter.ts'
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

  it('gets its first answer again for an hour, however the payment stands, and then another payment', async () => {
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

  it('sees when a payment expires, where that is said', async () => {
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

describe('the adapter, at the same fake', () => {
  const psp = () =>
    mollie.open({
      fetch: (request) => fetch(request),
      mode: 'live',
      credentials: { apiKey },
      endpoint: `${server.url}/v2`,
    })

  it('announces a payment once, and sees what the official client sees', async () => {
    const [first, again] = [
      await psp().announce(paymentRequestOf('job-5'), patience),
      await psp().announce(paymentRequestOf('job-5'), patience),
    ]
    expect(again).toEqual(first)
    if (first.is !== 'announced') throw new Error('not announced')
    expect(await client().payments.get(first.reference)).toMatchObject({ status: 'open' })
    fake.bring('job-5', 'paid')
    expect(await psp().pull(first.reference, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  })

  it('stops a payment, which the official client sees cancelled', async () => {
    const answer = await psp().announce(paymentRequestOf('job-6'), patience)
    if (answer.is !== 'announced') throw new Error('not announced')
    expect(await psp().stop(answer.reference, 'EUR')).toMatchObject({ status: 'CANCELLED' })
    expect(await client().payments.get(answer.reference)).toMatchObject({ status: 'canceled' })
  })

  it('says whether its key works', async () => {
    expect(await psp().check()).toEqual({ is: 'working' })
  })
})
