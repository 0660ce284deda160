import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { consumeCopies } from '../../src/registry/publish-after.ts'
import { ORIGIN, type Pos } from '../support/hub/hub.ts'
import { lateKv } from '../support/hub/late-kv.ts'
import { batchOf } from '../support/hub/queue.ts'
import { callWorker } from './call-worker.ts'

/**
 * How long (s) the slowest location needs, as in docs/operating/set-up.md: KV, its cache, the Worker's
 * memory.
 */
const SLOWEST = 60 + 30 + 20

let kv: ReturnType<typeof lateKv>
let refreshes: { body: unknown; at: number }[]
/** The hub at two locations with one D1. KV shows each location late what the other wrote. */
let here: Env
let there: Env
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  kv = lateKv()
  refreshes = []
  const COPIES = {
    send: async (body: unknown, { delaySeconds = 0 } = {}) => {
      refreshes.push({ body, at: Date.now() + delaySeconds * 1000 })
    },
    sendBatch: async (messages: { body: unknown; delaySeconds?: number }[]) => {
      for (const { body, delaySeconds = 0 } of messages) {
        refreshes.push({ body, at: Date.now() + delaySeconds * 1000 })
      }
    },
  } as unknown as Env['COPIES']
  here = { ...env, COPIES, TOKENS: kv.location('here') }
  there = { ...env, COPIES, TOKENS: kv.location('there') }
})

/** Lets time pass, and delivers the queue's due messages at this location. */
async function pass(seconds: number, at: Env = here): Promise<void> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const next = refreshes.filter((message) => message.at <= end).toSorted((a, b) => a.at - b.at)[0]
    if (!next) break
    refreshes.splice(refreshes.indexOf(next), 1)
    vi.setSystemTime(Math.max(next.at, Date.now()))
    await consumeCopies(batchOf([next.body], 'payment-hub-copies').batch, at)
  }
  vi.setSystemTime(end)
}

async function ask(at: Env, path: string, bearer: string, method = 'GET', body?: object) {
  return callWorker(
    new Request(ORIGIN + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
    at,
  )
}

async function operate(at: Env, path: string, body?: object): Promise<Response> {
  const response = await ask(at, `/operator/v1${path}`, env.OPERATOR_TOKEN, 'POST', body)
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}
async function makePos(): Promise<Pos> {
  return (await operate(here, '/pos', { name: 'Shop 1' })).json()
}
async function tokenAt(at: Env, apiKey: string): Promise<string> {
  return (await (await ask(at, '/v1/guardian', apiKey)).json<{ token: string }>()).token
}

/** Returns whether a token opens the API: then an unknown job is a 404. */
async function opens(at: Env, token: string): Promise<boolean> {
  const { status } = await ask(at, `/v2/paymentjobs/${crypto.randomUUID()}`, token)
  if (status !== 404 && status !== 401) throw new Error(`answered ${status}`)
  return status === 404
}

function revoke(at: Env, pos: Pos) {
  return operate(at, `/pos/${pos.id}/keys/revoke`)
}

describe('a token that was just made elsewhere', () => {
  it.each([
    ['a revoke', (pos: Pos) => revoke(here, pos)],
    ['a disable', (pos: Pos) => operate(here, `/pos/${pos.id}/disable`)],
    [
      'a disable and an enable',
      async (pos: Pos) => {
        await operate(here, `/pos/${pos.id}/disable`)
        await operate(here, `/pos/${pos.id}/enable`)
      },
    ],
  ])('is dead everywhere after %s, once the slowest place knows', async (_, end) => {
    const pos = await makePos()
    await pass(600)
    const token = await tokenAt(there, pos.apiKey)
    await pass(20)
    expect(await opens(there, token)).toBe(true)
    await end(pos)
    await pass(SLOWEST)
    expect([await opens(here, token), await opens(there, token)]).toEqual([false, false])
    await pass(300)
    expect([await opens(here, token), await opens(there, token)]).toEqual([false, false])
  })
})

it('a new signing secret and then a revoke bring no token back', async () => {
  const pos = await makePos()
  await pass(600)
  const token = await tokenAt(there, pos.apiKey)
  await pass(20)
  await operate(here, `/pos/${pos.id}/secret`)
  await pass(60)
  await revoke(here, pos)
  await pass(40, there)
  await pass(SLOWEST)
  for (let minute = 0; minute < 10; minute++) {
    await pass(60)
    expect([await opens(here, token), await opens(there, token)]).toEqual([false, false])
  }
})

it('a new token of a new key works at once at a location that does not know the key yet', async () => {
  const pos = await makePos()
  await pass(600)
  expect(await opens(there, await tokenAt(there, pos.apiKey))).toBe(true)
  const { apiKey } = await (await operate(here, `/pos/${pos.id}/keys`)).json<{ apiKey: string }>()
  const token = await tokenAt(there, apiKey)
  expect(await opens(there, token)).toBe(true)
  await pass(SLOWEST)
  expect([await opens(here, token), await opens(there, token)]).toEqual([true, true])
})

it('a token made after a revoke works at once at a location that does not know of the revoke yet', async () => {
  const pos = await makePos()
  await pass(600)
  await revoke(here, pos)
  const token = await tokenAt(there, pos.apiKey)
  expect(await opens(there, token)).toBe(true)
  await pass(SLOWEST)
  expect([await opens(here, token), await opens(there, token)]).toEqual([true, true])
})

it('a new API key works at once as a bearer, at a location that does not know it yet, and ends with a disable', async () => {
  const pos = await makePos()
  await pass(600)
  expect(await opens(there, pos.apiKey)).toBe(true)
  const { apiKey } = await (await operate(here, `/pos/${pos.id}/keys`)).json<{ apiKey: string }>()
  expect(await opens(there, apiKey)).toBe(true)
  await operate(here, `/pos/${pos.id}/disable`)
  await pass(SLOWEST)
  for (const key of [apiKey, pos.apiKey]) {
    expect([await opens(here, key), await opens(there, key)]).toEqual([false, false])
  }
})

describe('a point of sale with 2,500 live tokens', () => {
  it.each([
    ['revoked', (pos: Pos) => revoke(here, pos), false],
    ['disabled', (pos: Pos) => operate(here, `/pos/${pos.id}/disable`), false],
    ['changed', (pos: Pos) => operate(here, `/pos/${pos.id}`, { signReturn: true }), true],
  ])('is %s by one write', async (_, change, live) => {
    const pos = await makePos()
    const token = await tokenAt(here, pos.apiKey)
    const name = kv.writes.find((write) => write.name.startsWith('token:'))
    if (!name) throw new Error('no token was written')
    for (let other = 0; other < 2500; other++) {
      kv.writes.push({ ...name, name: `token:${pos.id}:${String(other).padStart(64, '0')}` })
    }
    const before = kv.writes.length
    await change(pos)
    expect([kv.writes.length - before, kv.writes.at(-1)?.name]).toEqual([1, `pos:${pos.id}`])
    await pass(SLOWEST)
    expect(await opens(here, token)).toBe(live)
  })
})
