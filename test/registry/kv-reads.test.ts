import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { MINUTE } from '../../src/contract/timestamp.ts'
import { publishAccount, readAccount, readProfile } from '../../src/registry/copies.ts'
import { create, createJob, makePos, read, send, tokenFor } from '../support/hub/hub.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { loggedOf } from '../support/logged.ts'
import { untilTried } from '../support/jobs/reported.ts'

it('the first request of a point of sale costs two KV reads, the next token one, and neither reads D1', async () => {
  const pos = await makePos()
  const [first, second] = [await tokenFor(pos), await tokenFor(pos)]
  const kv = vi.spyOn(env.TOKENS, 'get')
  const d1 = vi.spyOn(env.DB, 'prepare')
  const { paymentJob } = await createJob(first)
  expect(kv).toHaveBeenCalledTimes(2)
  expect((await read(second, paymentJob)).status).toBe(200)
  expect(kv).toHaveBeenCalledTimes(3)
  expect((await read(second, paymentJob)).status).toBe(200)
  expect((await create(first)).status).toBe(201)
  expect(kv).toHaveBeenCalledTimes(3)
  expect(d1).not.toHaveBeenCalled()
})

it('a value from KV is used for twenty seconds, and then read again', async () => {
  const token = await tokenFor(await makePos())
  const { paymentJob } = await createJob(token)
  const kv = vi.spyOn(env.TOKENS, 'get')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 19_000 })
  expect((await read(token, paymentJob)).status).toBe(200)
  expect(kv).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + 2000)
  expect((await read(token, paymentJob)).status).toBe(200)
  const names = kv.mock.calls.map(([name]) => name as unknown as string)
  expect(names.map((name) => name.split(':')[0]).toSorted()).toEqual(['pos', 'token'])
  for (const name of names.filter((one) => one.startsWith('token:'))) await env.TOKENS.delete(name)
  vi.setSystemTime(Date.now() + 21_000)
  expect((await read(token, paymentJob)).status).toBe(401)
})

it('a return and its report read KV once: the profile brings the account along', async () => {
  const world = outside()
  const pos = await makeLivePos()
  const { paymentJob } = await createJob(await tokenFor(pos))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
  world.fake.setStatus('paid')
  const kv = vi.spyOn(env.TOKENS, 'get')
  await send(`/return/${paymentJob}`)
  expect(await untilTried(paymentJob)).toMatchObject({ state: 'delivered' })
  // Jobs of other tests read their own. The account of the point of sale has the beginning of its id.
  const names = kv.mock.calls.map(([name]) => name as unknown as string)
  const own = names.filter((name) => name.includes(pos.id.slice(0, 8)))
  expect(own.map((name) => name.split(':')[0])).toEqual(['pos'])
})

it('a profile from before a change of its account does not bring the old account back', async () => {
  const { id } = await makeLivePos()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 })
  const [account] = (await readProfile(env, id))?.accounts ?? []
  if (!account) throw new Error('the profile has no account')
  await publishAccount(env.TOKENS, { ...account, sealed: 'of the new credentials' })
  vi.setSystemTime(Date.now() + 21_000)
  expect((await readProfile(env, id))?.accounts).toMatchObject([{ sealed: account.sealed }])
  expect(await readAccount(env, account.id)).toMatchObject({ sealed: 'of the new credentials' })
})

it('if KV does not answer, the copy is read from D1 and not rewritten, and the log says so', async () => {
  const pos = await makePos()
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(env.TOKENS, 'get').mockRejectedValue(new Error(`KV GET failed: 500 ${pos.id}`))
  const put = vi.spyOn(env.TOKENS, 'put')
  expect(await readProfile(env, pos.id)).toMatchObject({ pos: pos.id })
  expect(loggedOf(errors, pos.id)).toMatchObject([{ event: 'kv.read-failed' }])
  expect(put).not.toHaveBeenCalled()
})

/** The names in KV. It lists a thousand at a time, and other test files have left theirs. */
async function namesInKv(): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null = null; ;) {
    const page: KVNamespaceListResult<unknown> = await env.TOKENS.list({ cursor })
    names.push(...page.keys.map(({ name }) => name))
    if (page.list_complete) return names
    cursor = page.cursor
  }
}

it('KV has no token, only its hash under the id of the POS', async () => {
  const before = new Set(await namesInKv())
  const pos = await makePos()
  const token = await tokenFor(pos)
  const names = (await namesInKv()).filter((name) => !before.has(name))
  const dump = JSON.stringify(
    await Promise.all(names.map(async (name) => [name, await env.TOKENS.get(name)])),
  )
  expect(dump).not.toContain(token.slice(32))
  expect(dump).not.toContain(pos.apiKey)
  expect(dump).not.toContain(pos.signingSecret)
  expect(names).toContainEqual(expect.stringMatching(new RegExp(`^token:${pos.id}:[0-9a-f]{64}$`)))
})

it('D1 has no API key, only its hash', async () => {
  const pos = await makePos()
  const { results } = await env.DB.prepare('select * from api_keys').all()
  expect(JSON.stringify(results)).toContain(pos.id)
  expect(JSON.stringify(results)).not.toContain(pos.apiKey)
})
