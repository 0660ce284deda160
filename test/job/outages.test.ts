import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { rowOf } from '../../src/job/core/row.ts'
import { untilOf } from '../../src/job/core/state.ts'
import { why } from '../../src/job/core/why.ts'
import { ReportDelivery } from '../../src/reports/report-delivery.ts'
import { breakD1, breakKv } from '../security/outages.ts'
import {
  type JobJson,
  type Pos,
  create,
  location,
  order,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { objectOf, recordAnswer, ringFor, stored } from '../support/jobs/job.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { outsideWith } from '../support/outside.ts'
import { notify, posAt, refund, refundsOf } from '../support/psp-world.ts'
import type { FakePsp } from '../support/psps/fake-psp.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { stripeFake } from '../support/psps/stripe.ts'

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

async function openJob(changes: object = {}): Promise<string> {
  return (await (await create(token, { ...order, ...changes })).json<JobJson>()).paymentJob
}

/** Lets days pass, with a new token, because one lives for a day. */
async function letPass(id: string, days: number): Promise<void> {
  await ringFor(id, days * DAY)
  token = await tokenFor(pos)
}

/** Takes KV and D1 down, when the memory of Workers is too old to use. */
function breakStores(): () => void {
  vi.setSystemTime(Date.now() + MINUTE)
  const mends = [breakKv(), breakD1()]
  return () => mends.forEach((mend) => mend())
}

/** Lets time pass while the object’s alarm rings now and then. */
async function sitOut(id: string, time: number): Promise<void> {
  for (let rings = 0; rings < 20; rings++) {
    vi.setSystemTime(Date.now() + time / 20)
    await runDurableObjectAlarm(objectOf(id))
  }
}

/** Lets time pass, with a short pause for the queue now and then, as in reality. */
async function untilDelivered(id: string, within: number): Promise<void> {
  const end = Date.now() + within
  await vi.waitFor(
    async () => {
      if (Date.now() < end) await ringFor(id, within / 20)
      expect((await stored(id)).report?.state).toBe('delivered')
    },
    { timeout: 30_000 },
  )
  expect(Date.now()).toBeLessThanOrEqual(end + MINUTE)
}

/** Makes the hub's signing key unusable. */
function breakSecret(): () => void {
  const spy = vi.spyOn(crypto.subtle, 'sign').mockRejectedValue(new Error('the key cannot be used'))
  return () => spy.mockRestore()
}

/** Plays a deploy whose code for reports throws at once. */
function breakDeploy(): () => void {
  const fails = () => Promise.reject(new TypeError('x is not a function'))
  const spy = vi.spyOn(ReportDelivery.prototype, 'attempt').mockImplementation(fails)
  return () => spy.mockRestore()
}

describe('a report that the hub itself cannot send', () => {
  it.each([
    ['KV and D1 are down for 1 hour', 1, breakStores],
    ['KV and D1 are down for 20 hours', 20, breakStores],
    ['KV and D1 are down for 80 hours', 80, breakStores],
    ['a secret is bad for 20 hours', 20, breakSecret],
    ['a deploy is broken for 20 hours', 20, breakDeploy],
  ])(
    'because %s uses up no try, blames no shop, and goes out within minutes of the end',
    async (_, hours, breaks) => {
      const id = await openJob()
      const mend = breaks()
      await recordAnswer(id, PAID)
      await sitOut(id, hours * HOUR)
      const job = await stored(id)
      expect(job.report).toMatchObject({ state: 'due', tries: 0 })
      expect(why(job, Date.now()).main.cause).toBe('report-due')
      expect(rowOf(job)).toMatchObject({ failingSince: null, givenUpAt: null })
      mend()
      await untilDelivered(id, 15 * MINUTE)
      expect((await stored(id)).report?.history).toHaveLength(1)
      expect(world.reportsOf(id)).toEqual(['SUCCESS'])
    },
  )
})

describe('while KV and D1 are down', () => {
  it.each(['open', 'pending'] as const)(
    'four days beyond the time to pay no job ends unasked whose payment is %s, and its result arrives within an hour of the end',
    async (status) => {
      const id = await openJob({ payment_method: 'directdebit' })
      world.fake.setStatusOf(id, status)
      await send(`/return/${id}`)
      const mend = breakStores()
      const requestCount = world.asked.length
      await sitOut(id, untilOf(await stored(id)) - Date.now() + 4 * DAY)
      expect(world.asked).toHaveLength(requestCount)
      expect((await stored(id)).status).toBe('PENDING')
      world.fake.setStatusOf(id, 'paid')
      mend()
      await ringFor(id, HOUR)
      expect((await stored(id)).status).toBe('SUCCESS')
    },
  )
})

it('a key that the PSP refuses for five days ends no job, and its result arrives within an hour of the end', async () => {
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

it('a payment that was under way and is open again lets the customer pay at the PSP, even after the object was evicted', async () => {
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

describe('a refund', () => {
  async function firstOf(id: string) {
    return (await refundsOf(token, id))[0]
  }
  async function refundAll(id: string): Promise<number> {
    return (await refund(token, id, '12.50')).code
  }
  async function refundedJob({ fake }: { fake: FakePsp } = world): Promise<string> {
    const id = await openJob()
    fake.bring(id, 'paid')
    await send(`/return/${id}`)
    expect(await refundAll(id)).toBe(201)
    return id
  }

  /** A PSP, and how the refunds of a job end there. */
  const WORLDS = {
    mollie: () => {
      const fake = mollieFake()
      return {
        fake,
        done: (id: string) => fake.endRefunds(id, 'refunded'),
        fail: (id: string) => fake.endRefunds(id, 'failed'),
      }
    },
    stripe: () => {
      const fake = stripeFake()
      return {
        fake,
        done: (id: string) => fake.endRefunds(id, 'succeeded', Date.now()),
        fail: (id: string) => fake.endRefunds(id, 'failed', Date.now()),
      }
    },
  }

  it.each(['mollie', 'stripe'] as const)(
    'that was done at %s and fails after all is FAILURE with its reason, reported, and can be requested again',
    async (psp) => {
      const played = WORLDS[psp]()
      const there = Object.assign(outsideWith<FakePsp>(played.fake), { psp })
      pos = await posAt(there)
      token = await tokenFor(pos)
      const id = await refundedJob(there)
      await played.done(id)
      await letPass(id, 1)
      expect(await firstOf(id)).toMatchObject({ status: 'SUCCESS' })
      expect(await readJob(token, id)).toMatchObject({ amountRefunded: '12.50' })
      const reports = there.reportsOf(id).length
      await played.fail(id)
      await letPass(id, 30)
      expect(await firstOf(id)).toMatchObject({
        status: 'FAILURE',
        error: expect.stringMatching(/./) as string,
      })
      expect(await readJob(token, id)).not.toHaveProperty('amountRefunded')
      vi.useRealTimers()
      await vi.waitFor(() => expect(there.reportsOf(id).length).toBeGreaterThan(reports))
      expect(await (await send(`/receipt/${id}`)).text()).not.toContain('Terugbetaling onderweg')
      expect(await refundAll(id)).toBe(201)
    },
  )

  it.each([
    ['is on its way', 'pending'],
    ['is done', 'refunded'],
  ] as const)(
    'that %s next to another and then fails is FAILURE within minutes of the notification',
    async (_, before) => {
      const id = await openJob()
      world.fake.bring(id, 'paid')
      await send(`/return/${id}`)
      for (const amount of ['5.00', '7.50']) expect((await refund(token, id, amount)).code).toBe(201)
      world.fake.endRefunds(id, before)
      await letPass(id, 20)
      await letPass(id, 1 / 8)
      const [failing] = world.fake.payments.find(({ job }) => job === id)?.refunds ?? []
      if (failing) failing.status = 'failed'
      await notify(Object.assign(world, { psp: 'mollie' }), id)
      await ringFor(id, MINUTE)
      expect((await refundsOf(token, id)).map(({ status }) => status).toSorted()).toEqual([
        'FAILURE',
        before === 'pending' ? 'PENDING' : 'SUCCESS',
      ])
      expect((await refund(token, id, '5.00')).code).toBe(201)
    },
  )

  it('that vanishes after it was taken is FAILURE, and can be requested again', async () => {
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
