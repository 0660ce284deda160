import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { breakerHint } from '../../src/psp/breakers.ts'
import { createJob, makePos, tokenFor } from '../support/hub.ts'
import { ringNext, stored } from '../support/job.ts'
import { outside } from '../support/live-pos.ts'
import { addAccount, route } from '../support/psp-world.ts'

let world: ReturnType<typeof outside>
/** Paths that were asked at the first account, which does not answer while it is dead. */
let asked: string[]
let isDead: boolean

beforeEach(() => {
  world = outside()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  asked = []
  isDead = true
})
afterEach(() => {
  world.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A live shop whose payments go to a first account, and to a second one where there are two. */
async function shopWith(accounts: 1 | 2): Promise<{ token: string; first: string }> {
  const shop = await makePos({ mode: 'live' })
  const at = { fake: world.fake, psp: 'mollie' }
  const first = await addAccount(at, 0)
  await route(shop, '*', first, ...(accounts === 2 ? [await addAccount(at, 1)] : []))
  const { apiKey } = world.fake.accounts[0] as { apiKey: string }
  world.fault = (request) => {
    if (request.headers.get('authorization') !== `Bearer ${apiKey}`) return world.fake.handle(request)
    asked.push(new URL(request.url).pathname)
    if (!isDead) return world.fake.handle(request)
    vi.setSystemTime(Date.now() + 3000)
    return new Response(null, { status: 502 })
  }
  return { token: await tokenFor(shop), first }
}

describe('while the first account of a route does not answer', () => {
  it('one order waits for it, and those after it go to the next account at once', async () => {
    const { token, first } = await shopWith(2)
    await createJob(token)
    expect(asked).toHaveLength(1)
    const { paymentJob: id, status } = await createJob(token)
    expect([asked.length, status]).toEqual([1, 'PENDING'])
    const job = await stored(id)
    expect(job.announcement.is).toBe('announced')
    expect(job.account).not.toBe(first)
  })

  it('an isolate that knows nothing of it yet reads so in KV, and waits for nobody', async () => {
    const { token, first } = await shopWith(2)
    const hint = breakerHint.write({ since: Date.now() - 5000, until: Date.now() + MINUTE })
    await env.TOKENS.put(`breaker:${first}`, JSON.stringify(hint))
    await createJob(token)
    expect(asked).toEqual([])
  })

  it('leaves a hint in KV for other isolates, and takes it back once the account answers', async () => {
    const { token, first } = await shopWith(1)
    const hintOf = () => env.TOKENS.get(`breaker:${first}`, 'json')
    const { paymentJob: id } = await createJob(token)
    await vi.waitFor(async () => expect(await hintOf()).toMatchObject({ since: expect.any(Number) }))
    isDead = false
    await ringNext(id)
    await vi.waitFor(async () => expect(await hintOf()).toBeNull())
  })

  it('an order that no other account takes is created at once, and announced later by itself', async () => {
    const { token } = await shopWith(1)
    const { paymentJob: waited } = await createJob(token)
    const { paymentJob: id, status, error } = await createJob(token)
    expect(asked).toHaveLength(1)
    expect(status).toBe('PENDING')
    expect(error).toContain('not asked')
    isDead = false
    for (const job of [waited, id]) {
      await ringNext(job)
      expect((await stored(job)).announcement.is).toBe('announced')
    }
  })

  it('the hub asks behind the back of an order whether it answers again, and then sends orders there again', async () => {
    const { token, first } = await shopWith(2)
    await createJob(token)
    vi.setSystemTime(Date.now() + 5 * MINUTE)
    isDead = false
    asked = []
    await createJob(token)
    await vi.waitFor(() => expect(asked).toEqual(['/v2/methods']))
    await vi.waitFor(async () => {
      const { paymentJob: id } = await createJob(token)
      expect((await stored(id)).account).toBe(first)
    })
  })
})

it('a create needs no hint: KV may be down', async () => {
  const { token, first } = await shopWith(2)
  isDead = false
  const { get } = env.TOKENS
  vi.spyOn(env.TOKENS, 'get').mockImplementation(((name: string, ...rest: unknown[]) =>
    name.startsWith('breaker:')
      ? Promise.reject(new Error('KV is down'))
      : Reflect.apply(get, env.TOKENS, [name, ...rest])) as typeof get)
  const { paymentJob: id } = await createJob(token)
  expect((await stored(id)).account).toBe(first)
})
