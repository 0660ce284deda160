import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { why } from '../../src/job/core/why.ts'
import { breakD1, breakKv } from '../security/outages.ts'
import { type JobJson, type Pos, create, location, order, readJob, send, tokenFor } from '../support/hub.ts'
import { objectOf, recordAnswer, ringFor, stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

const PAID = { is: 'observed', status: 'SUCCESS', paid: 1250, expiresAt: null } as const

let world: ReturnType<typeof outside>
let pos: Pos
let token: string
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  world = outside()
  pos = await makeLivePos()
  token = await tokenFor(pos)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  world.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function openJob(changes: object = {}): Promise<string> {
  return (await (await create(token, { ...order, ...changes })).json<JobJson>()).paymentJob
}

/** Lets days pass. A token lives for one. */
async function letPass(id: string, days: number): Promise<void> {
  await ringFor(id, days * DAY)
  token = await tokenFor(pos)
}

/** KV and D1 are down, and what Workers remember of them is too old to use. */
function breakStores(): () => void {
  vi.setSystemTime(Date.now() + MINUTE)
  const mends = [breakKv(), breakD1()]
  return () => mends.forEach((mend) => mend())
}

/** Lets a time pass in which the object's alarm rings now and then. */
async function sitOut(id: string, time: number): Promise<void> {
  for (let rings = 0; rings < 20; rings++) {
    vi.setSystemTime(Date.now() + time / 20)
    await runDurableObjectAlarm(objectOf(id))
  }
}

/** Lets a time pass in which the queue has a moment now and then, as it would have. */
async function untilDelivered(id: string, within: number): Promise<void> {
  const end = Date.now() + within
  await vi.waitFor(
    async () => {
      if (Date.now() < end) await ringFor(id, within / 20)
      expect((await stored(id)).report?.state).toBe('delivered')
    },
    { timeout: 10_000 },
  )
  expect(Date.now()).toBeLessThanOrEqual(end + MINUTE)
}

describe('while KV and D1 are down', () => {
  it.each([1, 20, 80])(
    'for %i hours no try at a report is used up, and it goes out within minutes after',
    async (hours) => {
      const id = await openJob()
      const mend = breakStores()
      await recordAnswer(id, PAID)
      await sitOut(id, hours * HOUR)
      expect((await stored(id)).report).toMatchObject({ state: 'due', tries: 0 })
      mend()
      await untilDelivered(id, 15 * MINUTE)
      expect((await stored(id)).report?.history).toHaveLength(1)
      expect(world.reportsOf(id)).toEqual(['SUCCESS'])
    },
  )

  it('for four days no job ends unasked, and its result arrives within an hour after', async () => {
    const id = await openJob()
    const mend = breakStores()
    const asked = world.asked.length
    await sitOut(id, 4 * DAY)
    expect(world.asked).toHaveLength(asked)
    expect((await stored(id)).status).toBe('PENDING')
    world.fake.setStatusOf(id, 'paid')
    mend()
    await ringFor(id, HOUR)
    expect((await stored(id)).status).toBe('SUCCESS')
  })
})

it('a key that the PSP refuses for five days ends no job, and its result arrives within an hour after', async () => {
  const id = await openJob()
  world.fault = () => Response.json({ status: 401, title: 'Unauthorized', detail: 'no' }, { status: 401 })
  await ringFor(id, 5 * DAY)
  expect((await stored(id)).status).toBe('PENDING')
  expect(why(await stored(id), Date.now()).main.cause).toBe('psp-refuses-credentials')
  world.fault = null
  world.fake.setStatusOf(id, 'paid')
  await ringFor(id, HOUR)
  expect((await stored(id)).status).toBe('SUCCESS')
})

it('a payment that was under way and is open again leads the customer to the PSP, also after the object was evicted', async () => {
  const id = await openJob({ payment_method: 'directdebit' })
  world.fake.setStatusOf(id, 'pending')
  await send(`/return/${id}`)
  expect((await readJob(token, id)).payments.steps.at(-1)).toMatchObject({ stage: 'underway' })
  world.fake.setStatusOf(id, 'open')
  vi.setSystemTime(Date.now() + HOUR)
  await send(`/return/${id}`)
  await evictDurableObject(objectOf(id))
  expect(location(await send(`/pay/${id}`))).toMatch(/mollie\.com/)
})

describe('a refund at Mollie', () => {
  type RefundJson = { status: string; error: string | null }

  function refundsOf(id: string, more: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return send(`/v2/paymentjobs/${id}/refunds`, { headers, ...more })
  }
  async function firstOf(id: string): Promise<RefundJson | undefined> {
    return (await (await refundsOf(id)).json<{ refunds: RefundJson[] }>()).refunds[0]
  }
  async function refundAll(id: string): Promise<number> {
    return (await refundsOf(id, { method: 'POST', body: JSON.stringify({ amount: '12.50' }) })).status
  }
  async function refundedJob(): Promise<string> {
    const id = await openJob()
    world.fake.setStatusOf(id, 'paid')
    await send(`/return/${id}`)
    expect(await refundAll(id)).toBe(201)
    return id
  }

  it('that was done and fails after all is FAILURE with its reason, reported, and can be asked for again', async () => {
    const id = await refundedJob()
    world.fake.endRefunds(id, 'refunded')
    await letPass(id, 1)
    expect(await firstOf(id)).toMatchObject({ status: 'SUCCESS' })
    expect(await readJob(token, id)).toMatchObject({ amountRefunded: '12.50' })
    const reports = world.reportsOf(id).length
    world.fake.endRefunds(id, 'failed')
    await letPass(id, 30)
    expect(await firstOf(id)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringMatching(/./) as string,
    })
    expect(await readJob(token, id)).not.toHaveProperty('amountRefunded')
    vi.useRealTimers()
    await vi.waitFor(() => expect(world.reportsOf(id).length).toBeGreaterThan(reports))
    expect(await (await send(`/receipt/${id}`)).text()).not.toContain('Terugbetaling onderweg')
    expect(await refundAll(id)).toBe(201)
  })

  it('that vanishes after it was taken is FAILURE, and can be asked for again', async () => {
    const id = await refundedJob()
    const payment = world.fake.payments.find(({ job }) => job === id)
    payment?.refunds.splice(0)
    await letPass(id, 3)
    expect(await firstOf(id)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringMatching(/./) as string,
    })
    expect(await (await send(`/receipt/${id}`)).text()).not.toContain('Terugbetaling onderweg')
    expect(await refundAll(id)).toBe(201)
  })
})
