import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WeatherChange } from '../../src/job/rules/weather-change.ts'
import { consumeCopies } from '../../src/registry/refresh-copies.ts'
import { readWeatherCopy } from '../../src/registry/weather-copy.ts'
import { placeWeather } from '../../src/weather/place-weather.ts'
import { create, createJob, location, makePos, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { outside } from '../support/live-pos.ts'
import { loggedOf } from '../support/logged.ts'
import type { Fault } from '../support/outside.ts'
import { addAccount, route } from '../support/psp-world.ts'

let world: ReturnType<typeof outside>
const told: WeatherChange[] = []
beforeEach(() => {
  world = outside()
  told.length = 0
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(env.COPIES, 'send').mockImplementation(async (body) => {
    told.push((body as { weather: WeatherChange }).weather)
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
  })
})
afterEach(() => {
  world.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The time (ms) goes on for a PSP that is waited for: the clock of the tests stands still else. */
function pass(ms: number): void {
  void vi.setSystemTime(Date.now() + ms)
}

/** A PSP that takes the request and never answers. */
const silence: Fault = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      pass(4000)
      reject(new Error('late'))
    })
  })

function keyOf(place: 0 | 1): string {
  return `Bearer ${(world.fake.accounts[place] as { apiKey: string }).apiKey}`
}
function placeOf(request: Request): 0 | 1 {
  return request.headers.get('authorization') === keyOf(0) ? 0 : 1
}

/** An account knows nothing of the idempotency keys of another. */
const handle: Fault = (request) => {
  const headers = new Headers(request.headers)
  const key = headers.get('idempotency-key')
  if (key !== null) headers.set('idempotency-key', `${key} at ${placeOf(request)}`)
  return world.fake.handle(new Request(request, { headers }))
}

async function shopAt(...places: (0 | 1)[]) {
  const shop = await makePos({ mode: 'live' })
  const accounts: string[] = []
  for (const place of places) accounts.push(await addAccount({ fake: world.fake, psp: 'mollie' }, place))
  await route(shop, '*', ...accounts)
  return { token: await tokenFor(shop), accounts, shop }
}

/** Jobs that were announced: the hub looks later whether an account has their order that did not answer. */
const keys = new Set<string | null>()

/** The accounts that new jobs are announced at, in their order, from now on; `faultOf` answers for an account. */
function watch(faultOf: (place: 0 | 1) => Fault) {
  const asked: number[] = []
  const before = new Set(keys)
  world.fault = (request) => {
    const place = placeOf(request)
    const key = request.headers.get('idempotency-key')
    if (!before.has(key)) asked.push(place)
    keys.add(key)
    return faultOf(place)(request)
  }
  return asked
}

/** Real time (ms) that a create takes. */
async function timed(token: string) {
  const start = performance.now()
  const { paymentJob: id, payUrl } = await createJob(token)
  return { id, payUrl, took: performance.now() - start }
}

it('each account of a route may take an equal share of what is left of eight seconds', async () => {
  const { token } = await shopAt(0, 1)
  const timers = vi.spyOn(globalThis, 'setTimeout')
  watch((place) => (request) => {
    if (place === 1) return handle(request)
    pass(1234)
    return new Response('busy', { status: 503 })
  })
  const { paymentJob: id } = await createJob(token)
  const patience = timers.mock.calls.map(([, milliseconds]) => milliseconds)
  expect(patience).toEqual(expect.arrayContaining([4000, 6766]))
  // That of the account that has taken it, for which no time went by.
  expect((await stored(id)).asked).toMatchObject({ milliseconds: 0 })
})

describe('after one wait in vain', () => {
  it('a create goes to the other account at once, and the job tells why', async () => {
    const { token, accounts } = await shopAt(0, 1)
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const asked = watch((place) => (place === 0 ? silence : handle))
    const first = await createJob(token)
    expect(asked).toEqual([0, 1])
    expect(loggedOf(warned, accounts[0] ?? '')).toMatchObject([
      { event: 'psp.unavailable' },
      { event: 'weather.changed', method: 'ideal', is: 'silent' },
    ])
    const { asked: how } = await stored(first.paymentJob)
    expect(how).toEqual({ milliseconds: expect.any(Number) as number, silent: [accounts[0]] })

    const second = await timed(token)
    expect(asked).toEqual([0, 1, 1])
    expect(second.took).toBeLessThan(1500)
    const job = await stored(second.id)
    expect(job).toMatchObject({ account: accounts[1], status: 'PENDING', announcement: { is: 'announced' } })
    expect(job.asked?.skipped).toMatchObject([{ account: accounts[0], why: 'silent' }])
    expect(job.asked).not.toHaveProperty('silent')
    // Nobody has to look there whether it took the order: it was never asked.
    expect(job.otherPayments).toBeUndefined()
  })

  it('a create that its first account takes says nothing of the others, which it did not need', async () => {
    const { shop, accounts } = await shopAt(0, 1)
    const [first = '', second = ''] = accounts
    await route(shop, '*', second)
    watch(() => silence)
    await createJob(await tokenFor(shop))
    await route(shop, '*', first, second)
    watch(() => handle)
    const { paymentJob } = await createJob(await tokenFor(shop))
    const job = await stored(paymentJob)
    expect(job).toMatchObject({ account: first, announcement: { is: 'announced' } })
    expect(job.asked?.skipped).toBeUndefined()
  })

  it('a create without another account is born at once, and is announced when its customer comes', async () => {
    const { token } = await shopAt(0)
    const asked = watch(() => silence)
    await createJob(token)
    expect(asked).toEqual([0])
    const second = await timed(token)
    expect(second.took).toBeLessThan(1500)
    expect(asked).toEqual([0])
    const job = await stored(second.id)
    expect(job).toMatchObject({ status: 'PENDING', announcement: { is: 'due' } })
    expect(job.error).toMatch(/was not asked: it has not answered since 20/)
    expect(job.otherPayments).toBeUndefined()

    watch(() => handle)
    pass(3000)
    const visit = await send(new URL(second.payUrl).pathname)
    expect(location(visit)).toContain('mollie')
    expect((await stored(second.id)).announcement.is).toBe('announced')
  })

  it('one create at a time finds out whether the account answers again, and then all go there', async () => {
    const { token, accounts } = await shopAt(0, 1)
    watch((place) => (place === 0 ? silence : handle))
    await createJob(token)
    const asked = watch(() => handle)
    pass(7000)
    let isReady = false
    const held = watch((place) => async (request) => {
      while (place === 0 && !isReady) await scheduler.wait(10)
      return handle(request)
    })
    const trial = createJob(token)
    await vi.waitFor(() => expect(held).toEqual([0]))
    await createJob(token)
    expect(held).toEqual([0, 1])
    isReady = true
    expect((await stored((await trial).paymentJob)).account).toBe(accounts[0])
    expect(asked).toEqual([])
    const after = watch(() => handle)
    await createJob(token)
    expect(after).toEqual([0])
  })

  it('an account with a new key is asked again at once', async () => {
    const { token, accounts } = await shopAt(0)
    watch(() => () => new Response(null, { status: 503, headers: { 'retry-after': '60' } }))
    await createJob(token)
    const again = watch(() => handle)
    await createJob(token)
    expect(again).toEqual([])
    const rekeyed = await send(`/operator/v1/accounts/${accounts[0]}/credentials`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ credentials: world.fake.accounts[0] }),
    })
    expect(rekeyed.status).toBe(200)
    // A place goes on with its copy of the account for a while.
    pass(60_000)
    await createJob(token)
    expect(again).toEqual([0])
  })
})

it('a PSP that fails every other call is asked less and less, and no create is refused', async () => {
  const { token, accounts } = await shopAt(0, 1)
  let calls = 0
  const asked = watch((place) =>
    place === 0 && calls++ % 2 === 1 ? () => (pass(4000), new Response(null, { status: 502 })) : handle,
  )
  for (let payment = 0; payment < 120; payment++) {
    expect((await create(token)).status).toBe(201)
    pass(1000)
  }
  const changes = told.filter(({ account }) => account === accounts[0])
  expect(changes.filter(({ is }) => is === 'well').length).toBeLessThanOrEqual(2)
  expect(asked.filter((place) => place === 0).length).toBeLessThan(30)
})

describe('what a place tells', () => {
  const consume = async (...changes: WeatherChange[]) => {
    const messages = changes.map((weather, place) => ({
      id: `weather-${place}`,
      timestamp: new Date(),
      attempts: 1,
      body: { pos: '', weather, version: 1 },
    }))
    const batch = createMessageBatch('payment-hub-copies', messages)
    await consumeCopies(batch, env)
    return getQueueResult(batch, createExecutionContext())
  }

  it('comes to other places by the queue and one write of KV, the newest of each account', async () => {
    const { token, accounts } = await shopAt(0, 1)
    watch((place) => (place === 0 ? () => (pass(4000), new Response(null, { status: 504 })) : handle))
    await createJob(token)
    const change = told.find(({ account }) => account === accounts[0])
    if (!change) throw new Error('nothing was told')
    const puts = vi.spyOn(env.TOKENS, 'put')
    const older = { ...change, is: 'well', at: change.at - 1000 } as const
    const result = await consume(change, older, { ...change, account: `${accounts[0]}-x` })
    expect(result.ackAll || result.explicitAcks.length === 3).toBe(true)
    expect(puts.mock.calls.filter(([name]) => name === 'weather').length).toBe(1)
    const heard = (await readWeatherCopy(env.TOKENS)).filter(({ account }) => account === accounts[0])
    expect(heard).toEqual([change])

    const elsewhere = placeWeather()
    elsewhere.hear(heard, change.at + 1)
    const account = { id: accounts[0] ?? '', sealed: 'any' }
    expect(elsewhere.look(account, change.method, change.at + 1).advice).toBe('last')
  })

  it('is read where payments are created often', async () => {
    const { token } = await shopAt(0)
    const read = vi.spyOn(env.TOKENS, 'get')
    const reads = () => read.mock.calls.filter(([name]) => String(name) === 'weather').length
    // Other payments of this file were created a while ago.
    pass(10 * 60_000)
    for (let nth = 0; nth < 4; nth++) await createJob(token)
    expect(reads()).toBe(0)
    await createJob(token)
    expect(reads()).toBe(1)
  })
})

it.each([
  ['there is none', null],
  ['it is of a later version', { version: 99 }],
])('the copy of what places have told says nothing where %s', async (_, value) => {
  vi.spyOn(env.TOKENS, 'get').mockResolvedValue(value as never)
  expect(await readWeatherCopy(env.TOKENS)).toEqual([])
})
