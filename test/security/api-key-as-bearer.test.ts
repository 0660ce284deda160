import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { newApiKey } from '../../src/operator-api/points-of-sale.ts'
import { ORIGIN, type Pos, create, createJob, makePos, read, readJob, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { callWorker } from './call-worker.ts'

let pos: Pos
beforeEach(async () => {
  pos = await makePos()
})

async function status(key: string) {
  return (await read(key, crypto.randomUUID())).status
}

describe('an API key instead of a token', () => {
  it('creates and reads jobs of its point of sale, as a token does', async () => {
    const { paymentJob } = await createJob(pos.apiKey)
    expect(await readJob(pos.apiKey, paymentJob)).toMatchObject({ status: 'PENDING' })
    expect(await readJob(await tokenFor(pos), paymentJob)).toMatchObject({ paymentJob })
    const other = await makePos()
    expect((await read(other.apiKey, paymentJob)).status).toBe(404)
  })

  it('is looked up in D1 once, and counted once: then KV has its hash', async () => {
    const counted = vi.spyOn(env.GUARDIAN_PER_KEY, 'limit')
    expect(await status(pos.apiKey)).toBe(404)
    const hash = await sha256(pos.apiKey)
    expect(counted.mock.calls).toEqual([[{ key: hash }]])
    expect(await env.TOKENS.get(`api-key:${hash}`, 'json')).toEqual({
      version: 1,
      pos: pos.id,
      tokensSince: 0,
      asOf: expect.any(Number) as number,
    })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect((await readWithoutD1(pos.apiKey)).status).toBe(404)
    expect(counted).toHaveBeenCalledTimes(1)
  })

  it.each(['disable', 'keys/revoke'])('that is the only one ends as a token does, by %s', async (end) => {
    expect(await status(pos.apiKey)).toBe(404)
    await operate('POST', `/pos/${pos.id}/${end}`)
    // A revoke does not end the newest key.
    expect(await status(pos.apiKey)).toBe(end === 'disable' ? 401 : 404)
    await operate('POST', `/pos/${pos.id}/enable`)
    expect(await status(pos.apiKey)).toBe(404)
  })

  it('that is not the newest ends by a revoke, and D1 does not bring it back', async () => {
    expect(await status(pos.apiKey)).toBe(404)
    const { apiKey } = await (await operate('POST', `/pos/${pos.id}/keys`)).json<{ apiKey: string }>()
    await operate('POST', `/pos/${pos.id}/keys/revoke`)
    expect([await status(pos.apiKey), await status(apiKey)]).toEqual([401, 404])
    await env.TOKENS.delete(`api-key:${await sha256(pos.apiKey)}`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    expect(await status(pos.apiKey)).toBe(401)
  })

  it('counts for its point of sale when it creates', async () => {
    const counted = vi.spyOn(env.CREATE_PER_POS, 'limit').mockResolvedValue({ success: false })
    expect((await create(pos.apiKey)).status).toBe(429)
    expect(counted).toHaveBeenCalledWith({ key: pos.id })
  })
})

describe('an unknown API key', () => {
  it.each([
    ['GUARDIAN_PER_ADDRESS', 'guardian-address'],
    ['GUARDIAN_PER_KEY', 'guardian-key'],
  ] as const)('has to wait because of %s, before the hub asks D1', async (binding, name) => {
    vi.spyOn(env[binding], 'limit').mockResolvedValue({ success: false })
    const sent = await newApiKey(env)
    const response = await readWithoutD1(binding === 'GUARDIAN_PER_KEY' ? sent : 'z'.repeat(160))
    expect(response.status).toBe(429)
    expect(response.headers.get('ratelimit-policy')).toContain(`"${name}"`)
  })

  it('is refused, and the hub stores nothing of it', async () => {
    const key = await newApiKey(env)
    const response = await read(key, crypto.randomUUID())
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { detail: expect.stringContaining('API key is unknown') as string },
    ])
    expect(await env.TOKENS.get(`api-key:${await sha256(key)}`)).toBeNull()
  })
})

/** Reads a job at a hub whose D1 is down: a question to it fails. Other tests keep theirs. */
function readWithoutD1(bearer: string) {
  const DB = new Proxy(env.DB, {
    get: () => () => {
      throw new Error('D1_ERROR: D1 DB is overloaded.')
    },
  })
  const headers = { authorization: `Bearer ${bearer}` }
  return callWorker(new Request(`${ORIGIN}/v2/paymentjobs/${crypto.randomUUID()}`, { headers }), {
    ...env,
    DB,
  })
}
