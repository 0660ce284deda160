import { env } from 'cloudflare:workers'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { storedShape } from '../../src/platform/stored.ts'
import { readAccount } from '../../src/registry/account-cache.ts'
import { kvCopies } from '../../src/registry/copies.ts'
import { readProfile } from '../../src/registry/profile-cache.ts'
import { makePos, read } from '../support/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { operate } from '../support/operator.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
afterEach(() => vi.restoreAllMocks())

/** Lets something happen just before a copy is written for the first time; other files' copies are left alone. */
function beforeWrite(name: string, act: () => Promise<unknown>) {
  const put = env.TOKENS.put.bind(env.TOKENS)
  let writes = 0
  vi.spyOn(env.TOKENS, 'put').mockImplementation(async (key: string, ...rest: unknown[]) => {
    if (key === name && ++writes === 1) await act()
    await put(key, ...(rest as [string]))
  })
  return () => writes
}

async function makeAccount() {
  const id = `renewed-${crypto.randomUUID().slice(0, 8)}`
  const credentials = { apiKey: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' }
  const account = { id, psp: 'mollie', mode: 'test', credentials }
  expect((await operate('POST', '/accounts', account)).status).toBe(201)
  return id
}

it('a copy that cannot be read, renewed while the point of sale is disabled, is a disabled one’s', async () => {
  const { id } = await makePos()
  const name = `pos:${id}`
  await env.TOKENS.put(name, '{"version":99}')
  // Another Worker disables it after this one has read D1, and writes the copy before this one does.
  beforeWrite(name, () => operate('POST', `/pos/${id}/disable`))
  expect(await readProfile(env, id)).toMatchObject({ access: { generations: [] } })
  expect(await env.TOKENS.get(name, 'json')).toMatchObject({ access: { generations: [] } })
})

it('a copy of an account that is removed while it is renewed is taken away', async () => {
  const id = await makeAccount()
  await env.TOKENS.put(`account:${id}`, '{"version":99}')
  beforeWrite(`account:${id}`, () => operate('POST', `/accounts/${id}/remove`))
  expect(await readAccount(env, id)).toBeNull()
  expect(await env.TOKENS.get(`account:${id}`)).toBeNull()
})

it('a copy that D1 agrees with is renewed by one write', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, '{"version":99}')
  const writes = beforeWrite(`pos:${id}`, async () => undefined)
  expect(await readProfile(env, id)).toMatchObject({ pos: id })
  expect(writes()).toBe(1)
})

it('a copy is renewed by two looks at D1: for what is written, and whether that has changed meanwhile', async () => {
  const copies = kvCopies('looks', storedShape(v.object({ name: v.string() })), ({ name }) => name)
  const id = crypto.randomUUID()
  await env.TOKENS.put(`looks:${id}`, '{"version":99}')
  const original = vi.fn<() => Promise<{ name: string }>>().mockResolvedValue({ name: 'a shop' })
  expect(await copies.read(env.TOKENS, id, original)).toEqual({ name: 'a shop' })
  expect(original).toHaveBeenCalledTimes(2)
})

it('a copy that KV does not take is served from D1 at once, without another try', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, '{"version":99}')
  const writes = beforeWrite(`pos:${id}`, async () => {
    throw new Error('KV PUT failed: 429 Too Many Requests')
  })
  expect(await readProfile(env, id)).toMatchObject({ pos: id })
  expect(writes()).toBe(1)
})

it('a profile that D1 gave is served also when D1 does not say whether it is still so', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, '{"version":99}')
  const down = () => {
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error(`D1_ERROR: no answer for ${id}`))
  }
  beforeWrite(`pos:${id}`, async () => down())
  expect(await readProfile(env, id)).toMatchObject({ pos: id })
  expect(loggedOf(vi.mocked(console.error), id).at(-1)).toMatchObject({ event: 'kv.repair-failed' })
})

it('an API key that KV does not take is known all the same, and the log says so', async () => {
  const pos = await makePos()
  const name = `key:${await sha256(pos.apiKey)}`
  beforeWrite(name, async () => {
    throw new Error('KV PUT failed: 500')
  })
  expect((await read(pos.apiKey, crypto.randomUUID())).status).toBe(404)
  expect(loggedOf(vi.mocked(console.error), pos.id)).toMatchObject([{ event: 'kv.write-failed' }])
  expect(await env.TOKENS.get(name)).toBeNull()
})

it('what is remembered of an API key is renewed by one write', async () => {
  const pos = await makePos()
  const name = `key:${await sha256(pos.apiKey)}`
  await env.TOKENS.put(name, '{"version":99}')
  const writes = beforeWrite(name, async () => undefined)
  expect((await read(pos.apiKey, crypto.randomUUID())).status).toBe(404)
  expect(writes()).toBe(1)
  expect(await env.TOKENS.get(name, 'json')).toMatchObject({ pos: pos.id })
})

it('a copy that cannot be read stays where D1 has nothing', async () => {
  const id = crypto.randomUUID().replaceAll('-', '')
  await env.TOKENS.put(`pos:${id}`, '{"version":99}')
  expect(await readProfile(env, id)).toBeNull()
  expect(await env.TOKENS.get(`pos:${id}`)).toBe('{"version":99}')
})
