import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askJob } from '../../src/job/call-job.ts'
import { askWith, createJob, location, readJob, send } from '../support/hub/hub.ts'
import { objectOf, ringNext, stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const HOUR = 3_600_000
/**
 * How many questions and announcements strangers may cause for one job in an hour, and how far (ms) apart.
 */
const [MOST, APART] = [120, 2000]

const shop = liveShop()
beforeEach(() => void vi.setSystemTime(Date.now()))

function pass(time: number) {
  return vi.setSystemTime(Date.now() + time)
}

describe('payUrl of a job that its PSP does not know yet', () => {
  let id: string
  /** Returns the idempotency keys of announcements: some may be of other tests' jobs. */
  let keys: (string | null)[]
  let answer: (request: Request) => Promise<Response> | Response
  const down = () => new Response(null, { status: 502 })
  beforeEach(async () => {
    answer = down
    shop.world.fault = (request) => {
      if (request.method === 'POST') keys.push(request.headers.get('idempotency-key'))
      return answer(request)
    }
    keys = []
    id = (await createJob(shop.token)).paymentJob
    keys = []
  })
  const pay = () => send(`/pay/${id}`)
  const announced = () => keys.filter((key) => key === id).length
  const bringBack = () => void (answer = shop.world.fake.handle)

  it('asks the PSP once for 50 customers at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, pay))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([503]))
    expect(announced()).toBe(1)
  })

  it('asks the PSP once for 30 customers in a row, and again after two seconds', async () => {
    for (let hit = 0; hit < 30; hit++) expect((await pay()).status).toBe(503)
    expect(announced()).toBe(1)
    pass(APART - 1)
    await pay()
    expect(announced()).toBe(1)
    pass(1)
    await pay()
    expect(announced()).toBe(2)
  })

  it('leads all of them to the one payment when the PSP answers', async () => {
    bringBack()
    const all = await Promise.all(Array.from({ length: 20 }, pay))
    expect(new Set(all.map(location)).size).toBe(1)
    expect(announced()).toBe(1)
  })

  it('asks the PSP 120 times an hour at most, and then again; the alarm does not count', async () => {
    const start = Date.now()
    for (let hit = 0; hit < MOST + 2; hit++, pass(APART)) expect((await pay()).status).toBe(503)
    expect(announced()).toBe(MOST)
    await ringNext(id)
    expect(announced()).toBe(MOST + 1)
    vi.setSystemTime(Math.max(start + HOUR, Date.now() + APART))
    bringBack()
    expect((await pay()).status).toBe(303)
  })
})

describe('questions about one job that strangers cause', () => {
  let id: string
  let account: string
  beforeEach(async () => {
    id = (await createJob(shop.token)).paymentJob
    account = (await stored(id)).account
  })
  const reference = () => shop.world.fake.payments.find(({ key }) => key === id)?.id ?? ''
  const pulled = () => shop.world.asked.filter((call) => call === `GET /v2/payments/${reference()}`).length
  const notify = () => {
    const body = new URLSearchParams({ id: reference() })
    return send(`/notifications/${account}/${id}`, { method: 'POST', body })
  }
  const useUp = async () => {
    for (let hit = 0; hit < MOST + 2; hit++, pass(APART)) {
      await (hit % 3 === 0 ? notify() : send(`/return/${id}?look=${hit % 3}`))
    }
    // Questions of the schedule, after one and three minutes, do not count.
    expect(pulled() - MOST).toBeGreaterThanOrEqual(0)
    expect(pulled() - MOST).toBeLessThanOrEqual(2)
    return pulled()
  }

  it('are 120 an hour at most, which hinders neither the shop nor an operator, and loses no notification', async () => {
    const start = Date.now()
    const used = await useUp()
    expect((await send(`/return/${id}?look=4`)).status).toBe(303)
    const looked = await operate('POST', `/jobs/${id}/pull`)
    expect([looked.status, pulled()]).toEqual([200, used + 1])
    pass(APART)
    const cancelled = await askWith(shop.token, 'POST', `/v2/paymentjobs/${id}/cancel`)
    expect(cancelled.status).toBe(200)
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
    shop.world.fake.setStatus('paid')
    const before = pulled()
    expect((await notify()).status).toBe(200)
    pass(10_000)
    await objectOf(id).wake()
    expect(pulled()).toBe(before)
    await vi.waitFor(async () => {
      await ringNext(id)
      expect((await readJob(shop.token, id)).status).toBe('SUCCESS')
    })
    expect(Date.now()).toBeLessThanOrEqual(start + HOUR + 1000)
  })

  it('are 120 an hour at most for notifications, too, that follow each other quickly', async () => {
    for (let hit = 0; hit < MOST + 10; hit++) {
      pass(APART / 2)
      await notify()
      pass(APART / 2)
      await objectOf(id).wake()
    }
    expect(pulled()).toBe(MOST)
  })

  it('do not count if only the PSP can cause them, by its signature; and the next hour has its own', async () => {
    const start = Date.now()
    const used = await useUp()
    shop.world.fake.setStatus('paid')
    const notified = { is: 'notified', came: Date.now(), account, reference: reference() } as const
    await askJob(env, id, 'claim', { ...notified, claims: 'FAILURE' })
    expect([(await readJob(shop.token, id)).status, pulled()]).toEqual(['SUCCESS', used + 1])
    shop.world.fake.chargeBack(id, 300)
    await notify()
    expect(pulled()).toBe(used + 1)
    vi.setSystemTime(start + HOUR + 60_000)
    await notify()
    expect(await readJob(shop.token, id)).toMatchObject({ amountChargedBack: '3.00' })
  })
})
