import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { MISS_SECONDS, readAccount } from '../../src/registry/copies.ts'
import { send } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'

const begun = Date.now()
let tests = 0
// Each test is a minute later, when the hub no longer remembers the previous one.
beforeEach(() => vi.setSystemTime(begun + ++tests * 61_000))

function nameOf() {
  return `nobody-${crypto.randomUUID().slice(0, 8)}`
}

/** Counts the reads of KV and D1 about one account: other tests read theirs. */
function looksFor(id: string) {
  const kv = vi.spyOn(env.TOKENS, 'get')
  let d1 = 0
  const prepare = env.DB.prepare.bind(env.DB)
  vi.spyOn(env.DB, 'prepare').mockImplementation((sql) => {
    const statement = prepare(sql)
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => {
      if (values.includes(id)) d1++
      return bind(...values)
    }
    return statement
  })
  return () => ({ kv: kv.mock.calls.filter(([name]) => String(name) === `account:${id}`).length, d1 })
}

function notify(id: string) {
  return send(`/notifications/${id}`, { method: 'POST', body: 'id=tr_1' })
}

describe('a notification of an account', () => {
  it.each([
    ['is too long for a name of KV', 'a'.repeat(700)],
    ['is a letter too long', 'a'.repeat(41)],
    ['has capitals', 'Shop-Mollie'],
    ['has other signs', 'shop:1'],
    ['is of an object', '__proto__'],
  ])('whose id %s gets its 200 without KV, D1 or a log line', async (_, id) => {
    const looks = looksFor(id)
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    expect((await notify(id)).status).toBe(200)
    expect(looks()).toEqual({ kv: 0, d1: 0 })
    expect(logged).not.toHaveBeenCalled()
  })

  it('that is unknown is looked up once in ten seconds', async () => {
    const id = nameOf()
    const looks = looksFor(id)
    for (let hit = 0; hit < 20; hit++) expect((await notify(id)).status).toBe(200)
    expect(looks()).toEqual({ kv: 1, d1: 1 })
    vi.setSystemTime(Date.now() + MISS_SECONDS * 1000)
    await notify(id)
    expect(looks()).toEqual({ kv: 2, d1: 2 })
  })
})

it('invented names cost nothing: of two hundred, the hub looks up one in KV and D1', async () => {
  const names = Array.from({ length: 200 }, nameOf)
  const kv = vi.spyOn(env.TOKENS, 'get')
  const d1 = vi.spyOn(env.DB, 'prepare')
  for (const name of names) expect((await notify(name)).status).toBe(200)
  expect(kv.mock.calls.filter(([name]) => String(name).startsWith('account:nobody-'))).toHaveLength(1)
  expect(d1.mock.calls.filter(([query]) => query.includes('psp_accounts'))).toHaveLength(2)
})

describe('an account that was looked up before it was added', () => {
  const account = (id: string) => ({
    id,
    psp: 'mollie',
    mode: 'test',
    credentials: { apiKey: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' },
  })

  it('is known at once where it was added', async () => {
    const id = nameOf()
    expect(await readAccount(env, id)).toBeNull()
    expect((await operate('POST', '/accounts', account(id))).status).toBe(201)
    expect(await readAccount(env, id)).toMatchObject({ id })
  })

  it('is known at other locations within ten seconds', async () => {
    const id = nameOf()
    expect(await readAccount(env, id)).toBeNull()
    await env.DB.prepare(
      "insert into psp_accounts (id, psp, mode, sealed, created_at) values (?, ?, 'live', ?, 0)",
    )
      .bind(id, 'mollie', '')
      .run()
    vi.setSystemTime(Date.now() + MISS_SECONDS * 1000)
    expect(await readAccount(env, id)).toMatchObject({ id })
    await env.DB.prepare('delete from psp_accounts where id = ?').bind(id).run()
  })
})

it.each(['remove', 'check', 'credentials'])(
  'an operator who wants to %s an impossible account gets a 404, without a look at KV and D1',
  async (what) => {
    const id = 'a'.repeat(700)
    const looks = looksFor(id)
    const deleted = vi.spyOn(env.TOKENS, 'delete')
    const credentials = { credentials: { apiKey: 'test_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM' } }
    const body = what === 'credentials' ? credentials : undefined
    expect((await operate('POST', `/accounts/${id}/${what}`, body)).status).toBe(404)
    expect(looks()).toEqual({ kv: 0, d1: 0 })
    expect(deleted.mock.calls.filter(([name]) => name.includes(id))).toEqual([])
  },
)
