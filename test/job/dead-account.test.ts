import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { bounded } from '../../src/platform/bounded.ts'
import { waitFor } from '../../src/psp/health/breaker.ts'
import { breakers } from '../../src/psp/health/breakers.ts'
import { seizeKv } from '../simulation/kv.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored } from '../support/jobs/job.ts'
import { outside } from '../support/shops/live-pos.ts'
import { addAccount, route } from '../support/psp-world.ts'

let world: ReturnType<typeof outside>
/** The paths of requests to the first account, which does not answer while it is dead. */
let requestPaths: string[]
let isDead: boolean
/** Whether the dead account answers requests that are about no payment. */
let answersChecks: boolean

beforeEach(() => {
  world = outside()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  requestPaths = []
  isDead = true
  answersChecks = false
})

/** From now on another isolate, with an empty memory, takes the orders. */
function freshIsolate(): void {
  Object.assign(breakers, bounded())
}

/** Waits for the hint about an account. */
async function hintOf(account: string): Promise<unknown> {
  return vi.waitFor(async () => {
    const hint = await env.TOKENS.get(`breaker:${account}`, 'json')
    expect(hint).not.toBeNull()
    return hint
  })
}

function announcements(): string[] {
  return requestPaths.filter((path) => path.endsWith('/payments'))
}

/** A live shop whose payments go to a first account, and to a second one if there are two. */
async function shopWith(accounts: 1 | 2): Promise<{ token: string; first: string }> {
  const shop = await makePos({ mode: 'live' })
  const at = { fake: world.fake, psp: 'mollie' }
  const first = await addAccount(at, 0)
  await route(shop, '*', first, ...(accounts === 2 ? [await addAccount(at, 1)] : []))
  const { apiKey } = world.fake.accounts[0] as { apiKey: string }
  world.fault = (request) => {
    if (request.headers.get('authorization') !== `Bearer ${apiKey}`) return world.fake.handle(request)
    const { pathname } = new URL(request.url)
    requestPaths.push(pathname)
    if (!isDead || (answersChecks && pathname.endsWith('/methods'))) return world.fake.handle(request)
    vi.setSystemTime(Date.now() + 3000)
    return new Response(null, { status: 502 })
  }
  return { token: await tokenFor(shop), first }
}

describe('while the first account of a route does not answer', () => {
  it('one order waits for it, and later orders go to the next account at once', async () => {
    const { token, first } = await shopWith(2)
    await createJob(token)
    expect(requestPaths).toHaveLength(1)
    const { paymentJob: id, status } = await createJob(token)
    expect([requestPaths.length, status]).toEqual([1, 'PENDING'])
    const job = await stored(id)
    expect(job.announcement).toBe('announced')
    expect(job.account).not.toBe(first)
  })

  it.each([1, 2] as const)(
    'of %i, a shop with an order a minute, each in another isolate, waits once in many minutes',
    async (accounts) => {
      seizeKv()
      const { token, first } = await shopWith(accounts)
      await createJob(token)
      await hintOf(first)
      for (let minute = 0; minute < 8; minute++) {
        vi.setSystemTime(Date.now() + MINUTE)
        freshIsolate()
        await createJob(token)
      }
      expect(announcements()).toHaveLength(1)
    },
  )

  it('a shop with an order a minute waits only briefly while the PSP answers nothing but checks', async () => {
    const { token, first } = await shopWith(1)
    answersChecks = true
    await createJob(token)
    await hintOf(first)
    vi.setSystemTime(Date.now() + MINUTE)
    freshIsolate()
    await createJob(token)
    await vi.waitFor(async () => expect(await hintOf(first)).toMatchObject({ until: null }))
    freshIsolate()
    await createJob(token)
    const known = breakers.get(first)
    expect(known && waitFor(known.breaker, known.breaker.by ?? '', 8000)).toBeLessThan(3000)
  })

  it('each isolate sends orders there again soon after it answers', async () => {
    const { token, first } = await shopWith(2)
    await createJob(token)
    await hintOf(first)
    isDead = false
    vi.setSystemTime(Date.now() + MINUTE)
    freshIsolate()
    await createJob(token)
    await vi.waitFor(async () => expect(await hintOf(first)).toMatchObject({ until: null }))
    freshIsolate()
    const { paymentJob: id } = await createJob(token)
    expect((await stored(id)).account).toBe(first)
  })

  it('the hint is deleted once a payment is announced there', async () => {
    const { token, first } = await shopWith(1)
    const { paymentJob: id } = await createJob(token)
    await hintOf(first)
    isDead = false
    await ringNext(id)
    await vi.waitFor(async () => expect(await env.TOKENS.get(`breaker:${first}`)).toBeNull())
  })

  it('an order that no other account takes is created at once, and announced later by the hub', async () => {
    const { token } = await shopWith(1)
    const { paymentJob: waited } = await createJob(token)
    const { paymentJob: id, status, error } = await createJob(token)
    expect(requestPaths).toHaveLength(1)
    expect(status).toBe('PENDING')
    expect(error).toContain('not asked')
    isDead = false
    for (const job of [waited, id]) {
      await ringNext(job)
      expect((await stored(job)).announcement).toBe('announced')
    }
  })

  it('in the background of an order, the hub asks whether it answers again, and then sends orders there again', async () => {
    const { token, first } = await shopWith(2)
    await createJob(token)
    vi.setSystemTime(Date.now() + 5 * MINUTE)
    isDead = false
    requestPaths = []
    await createJob(token)
    await vi.waitFor(() => expect(requestPaths).toEqual(['/v2/methods']))
    await vi.waitFor(async () => {
      const { paymentJob: id } = await createJob(token)
      expect((await stored(id)).account).toBe(first)
    })
  })
})

/** Another live shop whose payments go to the account. */
async function shopAt(account: string): Promise<string> {
  const shop = await makePos({ mode: 'live' })
  await route(shop, '*', account)
  return tokenFor(shop)
}

it.each([true, false])(
  'orders of one shop that are slow at the PSP do not keep another shop from it (in another isolate: %s)',
  async (isOther) => {
    const { token, first } = await shopWith(1)
    await createJob(token)
    await createJob(token)
    expect(announcements()).toHaveLength(1)
    isDead = false
    const other = await shopAt(first)
    if (isOther) freshIsolate()
    for (let orders = 0; orders < 3; orders++) {
      const { paymentJob: id } = await createJob(other)
      expect((await stored(id)).announcement).toBe('announced')
    }
  },
)

it('orders of two slow shops do not make a third shop wait', async () => {
  const { token, first } = await shopWith(1)
  await createJob(token)
  await createJob(await shopAt(first))
  expect(announcements()).toHaveLength(2)
  await createJob(await shopAt(first))
  expect(announcements()).toHaveLength(2)
})

it('an account that did not answer an hour ago takes the next order at once', async () => {
  const { token, first } = await shopWith(1)
  await createJob(token)
  isDead = false
  vi.setSystemTime(Date.now() + 60 * MINUTE)
  const { paymentJob: id } = await createJob(token)
  expect(await stored(id)).toMatchObject({ account: first, announcement: 'announced' })
})

describe('a create needs no hint', () => {
  const BROKEN = {
    'is down': () => Promise.reject(new Error('KV is down')),
    'is slow': () => scheduler.wait(400),
  }

  it.each(['is down', 'is slow'] as const)('when KV %s', async (how) => {
    const { token, first } = await shopWith(2)
    isDead = false
    for (const method of ['get', 'put'] as const) {
      const real = env.TOKENS[method] as (...parts: unknown[]) => Promise<unknown>
      vi.spyOn(env.TOKENS, method).mockImplementation(((name: string, ...rest: unknown[]) =>
        name.startsWith('breaker:')
          ? BROKEN[how]()
          : Reflect.apply(real, env.TOKENS, [name, ...rest])) as never)
    }
    const { paymentJob: id } = await createJob(token)
    expect((await stored(id)).account).toBe(first)
    isDead = true
    await createJob(token)
    const before = announcements().length
    await createJob(token)
    expect(announcements()).toHaveLength(before)
  })
})
