import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, makePos, send, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { PSPS, type PspWorld, addAccount, pspWorld, route } from '../support/psp-world.ts'

/** The PSP takes so many requests in a second, and answers 429 to all others, of any shop. */
const TAKES = 5

let refused = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(console, 'warn').mockReturnValue()
  refused = 0
})

function limit(world: PspWorld, headers: HeadersInit): void {
  let times: number[] = []
  world.fault = (request) => {
    const now = Date.now()
    times = [...times.filter((time) => time > now - 1000), now]
    if (times.length <= TAKES) return world.fake.handle(request)
    refused += 1
    return new Response(null, { status: 429, headers })
  }
}

async function shopAt(account: string): Promise<string> {
  const shop = await makePos({ mode: 'live' })
  await route(shop, '*', account)
  return tokenFor(shop)
}

async function announcementsOf(token: string, orders: number): Promise<string[]> {
  const states: string[] = []
  for (let order = 0; order < orders; order++)
    states.push((await stored((await createJob(token)).paymentJob)).announcement)
  return states
}

describe.each(PSPS)('at an account of %s, a shop that sends more than the PSP takes', (psp) => {
  it.each([{}, { 'retry-after': '30' }])('keeps no other shop from it (%j)', async (headers) => {
    const world = pspWorld(psp)
    const account = await addAccount(world)
    const [flood, other] = [await shopAt(account), await shopAt(account)]
    limit(world, headers)
    await announcementsOf(flood, 20)
    // The other shop is unlucky within this second.
    const before = world.asked.length
    await announcementsOf(other, 1)
    expect(world.asked.length).toBeGreaterThan(before)
    for (const seconds of [6, 6, 6]) {
      vi.setSystemTime(Date.now() + seconds * 1000)
      await announcementsOf(flood, 3)
      expect(await announcementsOf(other, 2)).toEqual(['announced', 'announced'])
    }
    expect(refused).toBeLessThan(10)
  })
})

it('questions of customers who come back share the account with orders', async () => {
  const world = pspWorld('mollie')
  const account = await addAccount(world)
  const [crowd, other] = [await shopAt(account), await shopAt(account)]
  const jobs = [await createJob(crowd), await createJob(crowd), await createJob(crowd)]
  vi.setSystemTime(Date.now() + 10_000)
  world.fault = () => new Response(null, { status: 429, headers: { 'retry-after': '30' } })
  for (const { payUrl } of jobs) await send(payUrl.replace('/pay/', '/return/'))
  world.fault = null
  const before = world.asked.length
  expect(await announcementsOf(crowd, 1)).not.toEqual(['announced'])
  expect(world.asked).toHaveLength(before)
  expect(await announcementsOf(other, 1)).toEqual(['announced'])
})

describe('an order that the hub holds back', () => {
  it('goes to the next account of the route, and the first one is not asked', async () => {
    const psp = pspWorld('mollie')
    const [first, second] = [await addAccount(psp), await addAccount(psp, 1)]
    const shop = await makePos({ mode: 'live' })
    await route(shop, '*', first)
    const token = await tokenFor(shop)
    limit(psp, { 'retry-after': '60' })
    await announcementsOf(token, TAKES + 1)
    psp.fault = null
    await route(shop, '*', first, second)
    vi.setSystemTime(Date.now() + 30_000)
    const before = psp.asked.length
    const job = await stored((await createJob(token)).paymentJob)
    expect([job.announcement, job.account]).toEqual(['announced', second])
    expect(psp.asked).toHaveLength(before + 1)
  })

  it('is created, and announced when its turn comes', async () => {
    const psp = pspWorld('mollie')
    const account = await addAccount(psp)
    const token = await shopAt(account)
    limit(psp, { 'retry-after': '60' })
    await announcementsOf(token, TAKES + 1)
    const before = psp.asked.length
    const { paymentJob, payUrl, status, error } = await createJob(token)
    expect([status, error]).toEqual(['PENDING', expect.stringContaining('too many orders')])
    expect((await send(payUrl)).status).toBe(503)
    expect(psp.asked).toHaveLength(before)
    vi.setSystemTime(Date.now() + 60_000)
    await ringNext(paymentJob)
    expect(await stored(paymentJob)).toMatchObject({ account, announcement: 'announced' })
  })
})
