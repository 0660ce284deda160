import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { readAccount, readProfile } from '../../src/registry/copies.ts'
import { makePos, read } from '../support/hub/hub.ts'
import { loggedOf } from '../support/logged.ts'
import { operate } from '../support/hub/operator.ts'
import { fakeOf } from '../support/fakes.ts'
import { addAccount } from '../support/psp-world.ts'

/** A copy by a later release. */
const UNREADABLE = '{"version":99}'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

/** Runs `act` before the first write of a copy. Copies of other files stay unchanged. */
function beforeWrite(name: string, act: () => Promise<unknown>) {
  const put = env.TOKENS.put.bind(env.TOKENS)
  let isFirst = true
  vi.spyOn(env.TOKENS, 'put').mockImplementation(async (key: string, ...rest: unknown[]) => {
    if (key === name && isFirst) {
      isFirst = false
      await act()
    }
    await put(key, ...(rest as [string]))
  })
}

function untilCopied(name: string, copy: unknown) {
  return vi.waitFor(async () => expect(await env.TOKENS.get(name, 'json')).toEqual(copy), 5000)
}

it('a copy that cannot be read is served from D1 and rewritten', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, UNREADABLE)
  expect(await readProfile(env, id)).toMatchObject({ pos: id })
  await untilCopied(`pos:${id}`, expect.objectContaining({ pos: id }))
})

it('a copy that is rewritten while its point of sale is disabled shows it disabled', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, UNREADABLE)
  // Another Worker disables it, and writes the copy, after this one has read D1.
  beforeWrite(`pos:${id}`, () => operate('POST', `/pos/${id}/disable`))
  await readProfile(env, id)
  const access: unknown = expect.objectContaining({ generations: [] })
  await untilCopied(`pos:${id}`, expect.objectContaining({ access }))
})

it('the copy of an account that is removed during the rewrite is deleted', async () => {
  const id = await addAccount({ fake: fakeOf('mollie'), psp: 'mollie' })
  await env.TOKENS.put(`account:${id}`, UNREADABLE)
  beforeWrite(`account:${id}`, () => operate('POST', `/accounts/${id}/remove`))
  await readAccount(env, id)
  await untilCopied(`account:${id}`, null)
})

it('a copy that KV refuses holds up no request, and the log says so', async () => {
  const { id } = await makePos()
  await env.TOKENS.put(`pos:${id}`, UNREADABLE)
  vi.spyOn(scheduler, 'wait').mockResolvedValue()
  vi.spyOn(env.TOKENS, 'put').mockRejectedValue(new Error(`KV PUT failed: 429 for ${id}`))
  expect(await readProfile(env, id)).toMatchObject({ pos: id })
  await vi.waitFor(() => {
    const logged = loggedOf(vi.mocked(console.error), `KV PUT failed: 429 for ${id}`)
    expect(logged).toContainEqual(expect.objectContaining({ event: 'kv.repair-failed' }))
  })
})

it('an API key that KV refuses still works, and the log says so', async () => {
  const pos = await makePos()
  const name = `api-key:${await sha256(pos.apiKey)}`
  beforeWrite(name, () => Promise.reject(new Error('KV PUT failed: 500')))
  expect((await read(pos.apiKey, crypto.randomUUID())).status).toBe(404)
  expect(loggedOf(vi.mocked(console.error), pos.id)).toMatchObject([{ event: 'kv.write-failed' }])
  expect(await env.TOKENS.get(name)).toBeNull()
})

it('an unreadable record of an API key is rewritten', async () => {
  const pos = await makePos()
  const name = `api-key:${await sha256(pos.apiKey)}`
  await env.TOKENS.put(name, UNREADABLE)
  expect((await read(pos.apiKey, crypto.randomUUID())).status).toBe(404)
  await untilCopied(name, expect.objectContaining({ pos: pos.id }))
})

it('an unreadable copy stays if D1 has no record', async () => {
  const id = crypto.randomUUID().replaceAll('-', '')
  await env.TOKENS.put(`pos:${id}`, UNREADABLE)
  expect(await readProfile(env, id)).toBeNull()
  expect(await env.TOKENS.get(`pos:${id}`)).toBe(UNREADABLE)
})
