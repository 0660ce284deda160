import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyIdOf, sealingKeyId } from '../../src/platform/crypto/seal.ts'
import { consumeCopies } from '../../src/registry/publish-after.ts'
import { accountById } from '../../src/registry/accounts.ts'
import { ORIGIN, type Pos, createJob, order, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate, operateAt } from '../support/hub/operator.ts'
import { type PspWorld, posAt, pspWorld } from '../support/psp-world.ts'
import { changed } from '../support/hub/changed-binding.ts'
import { loggedOf } from '../support/logged.ts'
import { batchOf } from '../support/hub/queue.ts'
import { callWorker } from '../security/call-worker.ts'

const NEW_KEY = '56789abcdef01234'.repeat(4)
const BOTH = `${NEW_KEY} ${env.SEALING_KEY}`

let world: PspWorld
let pos: Pos
let account: string
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  world = pspWorld('mollie')
  pos = await posAt(world)
  const { routes } = await answerTo<{ routes: { accounts: string[] }[] }>('GET', `/pos/${pos.id}/routes`)
  account = routes[0]?.accounts[0] ?? ''
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.spyOn(console, 'error').mockReturnValue()
  // Restores the account for the tests that follow.
  await rotate(`${env.SEALING_KEY} ${NEW_KEY}`)
})

type Page = {
  resealed: string[]
  failed: string[]
  oldAccounts: string[]
  oldCopies: string[]
  next: string | null
}

/** Joins the pages of an answer. Returns the first status that is not 200 instead, if there is one. */
async function walk(method: string, path: string, changes: Partial<Env>): Promise<Page | number> {
  const all: Page = { resealed: [], failed: [], oldAccounts: [], oldCopies: [], next: null }
  for (let query: string | null = ''; query !== null;) {
    const response = await operateAt(changes, method, path + query)
    if (response.status !== 200) return response.status
    const page: Page = await response.json<Page>()
    for (const list of ['resealed', 'failed', 'oldAccounts', 'oldCopies'] as const)
      all[list].push(...(page[list] ?? []))
    query = page.next ? `?after=${page.next}` : null
  }
  return all
}
function rotate(SEALING_KEY: string, changes: Partial<Env> = {}) {
  return walk('POST', '/sealing/rotate', { SEALING_KEY, ...changes })
}
function status(SEALING_KEY: string) {
  return walk('GET', '/sealing', { SEALING_KEY })
}

/** A KV that fails to write this copy. */
function brokenFor(name: () => string) {
  const put: KVNamespace['put'] = async (key: string, ...rest: unknown[]) => {
    if (key === name()) throw new Error('KV PUT failed: 500')
    await env.TOKENS.put(key, ...(rest as [string]))
  }
  return changed(env.TOKENS, { put })
}

/** The key ids of everything sealed for this point of sale and its account. */
async function seals() {
  const inD1 = await accountById(env.DB, account)
  const accountCopy = await env.TOKENS.get<{ sealed: string }>(`account:${account}`, 'json')
  const profile = await env.TOKENS.get<{ accounts: { sealed: string }[] }>(`pos:${pos.id}`, 'json')
  return [inD1, accountCopy, ...(profile?.accounts ?? [])].map((one) => keyIdOf(one?.sealed ?? ''))
}

describe('keys rotate', () => {
  it('seals credentials again under the first key, once, and payments go on', async () => {
    const newKey = await sealingKeyId(NEW_KEY)
    const before = await accountById(env.DB, account)
    expect(await rotate(BOTH)).toMatchObject({ resealed: expect.arrayContaining([account]) as string[] })
    expect(await seals()).toEqual([newKey, newKey, newKey])
    expect((await accountById(env.DB, account))?.sealed).not.toBe(before?.sealed)
    const created = await createJobUnder(NEW_KEY)
    expect(await created.json()).toMatchObject({ status: 'PENDING', error: null })
    expect(await rotate(BOTH)).toMatchObject({ resealed: [] })
  })

  it('names an account whose key is not set any more', async () => {
    const errors = vi.mocked(console.error)
    const rotated = await rotate('6789abcdef012345'.repeat(4))
    const failed = typeof rotated === 'number' ? [] : rotated.failed
    expect(rotated).toMatchObject({ failed: expect.arrayContaining([account]) as string[], resealed: [] })
    const events = loggedOf(errors, 'sealing.failed')
    expect(events).toEqual(failed.map((id) => expect.objectContaining({ account: id }) as object))
  })

  it.each<[string, () => string]>([
    ['an account', () => `account:${account}`],
    ['a point of sale', () => `pos:${pos.id}`],
  ])('continues after an error of KV at the copy of %s, and completes', async (_, name) => {
    const newKey = await sealingKeyId(NEW_KEY)
    expect(await rotate(BOTH, { TOKENS: brokenFor(name) })).toBe(503)
    // D1 is now ahead of that copy, but does not show it.
    expect(keyIdOf((await accountById(env.DB, account))?.sealed ?? '')).toBe(newKey)
    expect(new Set(await seals()).size).toBe(2)
    expect(await status(BOTH)).toMatchObject({ oldCopies: [name()] })
    expect(await rotate(BOTH)).toMatchObject({ resealed: [] })
    expect(await seals()).toEqual([newKey, newKey, newKey])
    expect(await status(BOTH)).toMatchObject({ oldAccounts: [], oldCopies: [] })
  })

  it('leaves out copies that KV lacks, and counts unreadable ones as old', async () => {
    await rotate(BOTH)
    await env.TOKENS.delete(`account:${account}`)
    await env.TOKENS.put(`pos:${pos.id}`, '{"version":99}')
    expect(await status(BOTH)).toMatchObject({ oldAccounts: [], oldCopies: [`pos:${pos.id}`] })
    await env.TOKENS.put(`account:${account}`, '{"version":99}')
    await env.TOKENS.delete(`pos:${pos.id}`)
    expect(await status(BOTH)).toMatchObject({ oldCopies: [`account:${account}`] })
  })

  it('writes every copy again when it is repeated, even for an account that D1 has under the new key', async () => {
    await rotate(BOTH)
    const puts = vi.spyOn(env.TOKENS, 'put')
    expect(await rotate(BOTH)).toMatchObject({ resealed: [] })
    const names = puts.mock.calls.map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining([`account:${account}`, `pos:${pos.id}`]))
  })

  it('seals credentials that are replaced at the same time', async () => {
    const newKey = await sealingKeyId(NEW_KEY)
    let intruded = false
    // Just before the write, a Worker that still has the older key first replaces the credentials.
    const intrude = async () => {
      if (intruded) return
      intruded = true
      const credentials = world.fake.accounts[1]
      expect((await operate('POST', `/accounts/${account}/credentials`, { credentials })).status).toBe(200)
    }
    const prepare: D1Database['prepare'] = (query) => {
      const statement = env.DB.prepare(query)
      if (!query.startsWith('update "psp_accounts"')) return statement
      const bindAll = statement.bind.bind(statement)
      statement.bind = (...values) => {
        const bound = bindAll(...values)
        const raw = bound.raw.bind(bound)
        const late = async () => {
          if (values.includes(account)) await intrude()
          return raw()
        }
        return Object.assign(bound, { raw: late })
      }
      return statement
    }
    const DB = changed(env.DB, { prepare })
    expect(await rotate(BOTH, { DB })).toMatchObject({
      resealed: expect.arrayContaining([account]) as string[],
    })
    expect(intruded).toBe(true)
    expect(await seals()).toEqual([newKey, newKey, newKey])
    const asked = vi.spyOn(world.fake, 'handle')
    expect((await createJobUnder(BOTH)).status).toBe(201)
    const [, other] = world.fake.accounts as [unknown, { apiKey: string }]
    expect(asked.mock.calls[0]?.[0].headers.get('authorization')).toBe(`Bearer ${other.apiKey}`)
  })
})

async function createJobUnder(SEALING_KEY: string) {
  const token = await tokenFor(pos)
  return callWorker(
    new Request(`${ORIGIN}/v2/paymentjobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    }),
    { ...env, SEALING_KEY },
  )
}

describe('keys status', () => {
  it('names accounts and copies under the older key, and none under the first', async () => {
    expect(await status(BOTH)).toMatchObject({
      oldAccounts: expect.arrayContaining([account]) as string[],
      oldCopies: expect.arrayContaining([`account:${account}`, `pos:${pos.id}`]) as string[],
    })
    expect(await status(env.SEALING_KEY)).toMatchObject({ oldAccounts: [], oldCopies: [] })
  })

  it('names an unreadable copy, and leaves out a missing one', async () => {
    await env.TOKENS.put(`pos:${pos.id}`, '{"version":99}')
    expect(await status(env.SEALING_KEY)).toMatchObject({ oldCopies: [`pos:${pos.id}`] })
    await env.TOKENS.delete(`pos:${pos.id}`)
    expect(await status(env.SEALING_KEY)).toMatchObject({ oldCopies: [] })
  })

  it('shows nothing while KV does not answer', async () => {
    const get = () => Promise.reject(new Error('KV GET failed: 500'))
    const TOKENS = changed(env.TOKENS, { get })
    expect((await operateAt({ TOKENS }, 'GET', '/sealing')).status).toBe(503)
  })
})

it('if KV does not take the copy of an account with new credentials, the second look writes it', async () => {
  await createJob(await tokenFor(pos))
  const sent = vi.spyOn(env.COPIES, 'sendBatch')
  const credentials = world.fake.accounts[1]
  const broken = { TOKENS: brokenFor(() => `account:${account}`) }
  const response = await operateAt(broken, 'POST', `/accounts/${account}/credentials`, { credentials })
  expect(response.status).toBe(503)
  const bodies = sent.mock.calls.flatMap(([messages]) => [...messages].map(({ body }) => body))
  expect(bodies).toEqual(
    expect.arrayContaining([
      { pos: '', account, version: 1 },
      { pos: pos.id, version: 1 },
    ]),
  )
  const { batch, acked } = batchOf([{ pos: '', account, version: 1 }], 'payment-hub-copies')
  await consumeCopies(batch, env)
  expect(acked()).toBe(1)
  const copy = await env.TOKENS.get<{ sealed: string }>(`account:${account}`, 'json')
  expect(copy?.sealed).toBe((await accountById(env.DB, account))?.sealed)
})
