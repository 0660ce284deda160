import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobsBackup, RegistryRow, Restored, StoredJob } from '../../src/contract/backup.ts'
import { DAY } from '../../src/contract/timestamp.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { auditLog } from '../../src/audit/audit-log.ts'
import { canonicalEntry, storedAuditEntry } from '../../src/audit/audit-chain.ts'
import { type Pos, askWith, create, createJob, makePos, order, tokenFor } from '../support/hub/hub.ts'
import { alarmOf, objectOf } from '../support/jobs/job.ts'
import { forgetChanges, loseRegistry } from '../support/hub/new-hub.ts'
import { answerTo, makeOperatorToken, operate, operateAt } from '../support/hub/operator.ts'
import { withTerminals } from '../support/terminals.ts'
import type * as v from 'valibot'

type Jobs = v.InferOutput<typeof JobsBackup>

const TODAY = new Date().toISOString().slice(0, 10)
let pos: Pos
let job: string
beforeAll(async () => {
  pos = await makePos()
  job = (await createJob(await tokenFor(pos))).paymentJob
})
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const audit = async () => auditLog(env).backUp(0, 1000)
const rows = async () => (await answerTo<{ rows: RegistryRow[] }>('POST', '/backup/registry')).rows
async function linesOf(id: string): Promise<StoredJob> {
  const inDirectory = async () => {
    const { jobs } = await answerTo<Jobs>('POST', `/backup/jobs/${TODAY}`)
    const found = jobs.find((one) => one.id === id)
    if (!found) throw new Error('it is not in the directory yet')
    return found
  }
  return vi.waitFor(inDirectory, 15_000)
}
async function restore(part: string, body: object): Promise<[number, Restored & { detail?: string }]> {
  const response = await operate('POST', `/restore/${part}`, body)
  return [response.status, await response.json()]
}
/** An attacker's entry: well-formed, and hashed onto the last. */
async function forged(changes: object = {}, at = Date.now(), ends: number | null = null) {
  const last = (await audit()).at(-1) ?? { number: 0, hash: '0'.repeat(64) }
  const content = {
    by: 'anna@shop.example',
    role: 'operator',
    via: 'access',
    token: '',
    action: 'job.refund',
    subject: job,
    result: 'done' as const,
    request: '',
    before: null,
    after: null,
    ...changes,
  }
  const entry = { ...content, of: ends, number: last.number + 1, at: new Date(at).toISOString() }
  const hash = await sha256(canonicalEntry({ ...entry, previous: last.hash }))
  return { number: entry.number, at, ends, hash, entry: JSON.stringify(storedAuditEntry.write(content)) }
}

describe('a hub that has already made a change', () => {
  it.each([
    ['audit', async () => ({ entries: [await forged()] })],
    ['registry', async () => ({ rows: await rows() })],
    [`jobs/${TODAY}`, async () => ({ jobs: [await linesOf(job)], counts: [] })],
  ])('takes no backup: %s', async (part, bodyOf) => {
    const body = await bodyOf()
    const before = await audit()
    const [status, { detail }] = await restore(part, body)
    expect([status, detail]).toEqual([409, expect.stringContaining('The hub is in use: entry ')])
    // The audit log has the attempt, but nothing of the body.
    const added = (await audit()).slice(before.length).map(({ entry }) => entry)
    expect(added.every((entry) => /"action":"(restore|backup)/.test(entry))).toBe(true)
  })
})

describe('a new hub', () => {
  beforeEach(forgetChanges)

  it('takes the log of a backup, in pieces, and the next entry says who brought it and how far', async () => {
    const first = await forged({ action: 'pos.create', result: 'begun' })
    expect(await restore('audit', { entries: [first] })).toMatchObject([200, { written: 1 }])
    const second = await forged({ action: 'pos.create' }, Date.now(), 1)
    const all = { entries: [first, second] }
    expect(await restore('audit', all)).toMatchObject([200, { written: 1, there: 1 }])
    expect(await restore('audit', all)).toMatchObject([200, { written: 0, there: 2 }])
    await makePos()
    const { entries } = await answerTo<{ entries: object[] }>('GET', '/audit?action=restore.audit')
    expect(entries).toMatchObject([{ number: 3, after: { entries: 2, head: second.hash } }])
    expect(await restore('audit', all)).toMatchObject([409, {}])
    expect(await answerTo('GET', '/audit/verify')).toMatchObject({ wrong: null })
  })

  it.each([
    ['of a time to come', () => forged({}, Date.now() + DAY)],
    ['that ends what never began', () => forged({}, Date.now(), 7)],
    ['that ends itself', () => forged({}, Date.now(), 1)],
    ['whose hash is wrong', async () => ({ ...(await forged()), hash: 'f'.repeat(64) })],
  ])('takes no entry %s', async (_, make) => {
    const entry = await make()
    await forgetChanges()
    expect(await restore('audit', { entries: [entry] })).toMatchObject([409, {}])
    expect((await audit()).filter(({ entry: text }) => text.includes('anna'))).toEqual([])
  })

  it('takes no second end of a change', async () => {
    const begun = await forged({ result: 'begun' })
    await forgetChanges()
    await restore('audit', { entries: [begun] })
    const end = await forged({}, Date.now(), 1)
    await restore('audit', { entries: [begun, end] })
    const again = await forged({}, Date.now(), 1)
    expect(await restore('audit', { entries: [again] })).toMatchObject([409, {}])
    expect(await audit()).toHaveLength(2)
  })

  it.each<[string, (line: StoredJob) => { line?: StoredJob; day?: string }, string]>([
    ['of another job', (line) => ({ line: { ...line, id: crypto.randomUUID() } }), 'another job'],
    ['of another day', () => ({ day: '2026-01-31' }), 'another day'],
    ['with a gap', ({ id, stored }) => ({ line: { id, stored: stored.slice(1) } }), 'gaps'],
    [
      'with two entries of one time',
      ({ id, stored: [first] }) => ({
        line: { id, stored: [first, { ...first, key: '000002' }] as StoredJob['stored'] },
      }),
      'times increase',
    ],
    [
      'with a key of its own',
      ({ id, stored }) => ({ line: { id, stored: [...stored, { ...stored[0], key: 'zz' } as never] } }),
      'gaps',
    ],
    [
      'that is a tombstone of no key',
      ({ id }) => ({
        line: { id, stored: [{ key: 'tombstone', value: { fingerprint: 'f', at: 1, version: 1 } }] },
      }),
      'tombstone',
    ],
  ])('takes no journal %s', async (_, change, why) => {
    const line = await linesOf(job)
    await forgetChanges()
    const { line: wrong = line, day = TODAY } = change(line)
    const [status, { detail }] = await restore(`jobs/${day}`, { jobs: [wrong], counts: [] })
    expect([status, detail]).toEqual([422, expect.stringContaining(why)])
  })

  it.each(['health', '../../etc', 'A'.repeat(36)])('takes no job with the id %s', async (id) => {
    const line = await linesOf(job)
    await forgetChanges()
    expect(await restore(`jobs/${TODAY}`, { jobs: [{ ...line, id }], counts: [] })).toMatchObject([422, {}])
  })

  it('leaves a job out that it cannot read, names it, and takes the others', async () => {
    const line = await linesOf(job)
    await forgetChanges()
    const id = crypto.randomUUID()
    const later = { id, stored: [{ key: '000001', value: { version: 99 } }] }
    const [status, { leftOut, there }] = await restore(`jobs/${TODAY}`, { jobs: [later, line], counts: [] })
    expect([status, there]).toEqual([200, 1])
    expect(leftOut).toEqual([expect.stringContaining(id)])
    expect(await objectOf(id).read()).toBeNull()
    const { entries } = await answerTo<{ entries: { after: object }[] }>('GET', '/audit?action=restore.jobs')
    expect(entries[0]?.after).toMatchObject({ digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string })
  })

  it('ends a tombstone that came back 400 days after its purge', async () => {
    const made = await create(await tokenFor(pos), order, { 'idempotency-key': crypto.randomUUID() })
    const { paymentJob: id } = await made.json<{ paymentJob: string }>()
    await runInDurableObject(objectOf(id), (_, { storage }) => storage.deleteAll())
    const at = Date.now() - DAY
    const tombstone = { key: 'tombstone', value: { fingerprint: 'f', at, version: 1 } }
    await forgetChanges()
    const body = { jobs: [{ id, stored: [tombstone] }], counts: [] }
    expect(await restore(`jobs/${TODAY}`, body)).toMatchObject([200, { written: 1 }])
    expect(await alarmOf(id)).toBe(at + 400 * DAY)
    vi.useFakeTimers({ toFake: ['Date'], now: at + 401 * DAY })
    await runDurableObjectAlarm(objectOf(id))
    await runInDurableObject(objectOf(id), (_, { storage }) =>
      expect(Array.from(storage.kv.list())).toEqual([]),
    )
    vi.useRealTimers()
  })

  it.each<[string, Record<string, string | number | null>]>([
    ['api_keys', { hash: 'x' }],
    ['api_keys', { created_at: Date.now() + DAY }],
    ['points_of_sale', { mode: 'LIVE!' }],
    ['points_of_sale', { name: 'Shop\u001b[31m' }],
    ['points_of_sale', { name: 'Sh\u200bop' }],
    ['points_of_sale', { created_at: 9e15 }],
    ['operator_tokens', { name: 'OPERATOR_TOKEN' }],
    ['operator_tokens', { name: 'anna@shop.example' }],
    ['operator_tokens', { role: 'owner' }],
  ])('takes no row of %s with %j', async (table, changes) => {
    await makeOperatorToken('viewer')
    const row = (await rows()).find((one) => one.table === table)
    await forgetChanges()
    const body = { rows: [{ table, row: { ...row?.row, ...changes } }] }
    const [status, { detail }] = await restore('registry', body)
    expect([status, detail]).toEqual([422, expect.stringContaining(Object.keys(changes)[0] ?? '')])
  })

  it.each(['points_of_sale', 'operator_tokens'])('takes a name of %s that 1.1 took', async (table) => {
    await makeOperatorToken('viewer')
    const backup = await rows()
    const at = backup.findIndex((one) => one.table === table)
    await loseRegistry()
    await forgetChanges()
    const name = `Anna\u2028x${'\u0301'.repeat(30)}`
    const changed = backup.map((one, place) => (place === at ? { table, row: { ...one.row, name } } : one))
    expect(await restore('registry', { rows: changed })).toMatchObject([200, {}])
  })

  it('brings no operator token back to life, and names them', async () => {
    const { token } = await makeOperatorToken('viewer')
    const backup = await rows()
    await loseRegistry()
    await forgetChanges()
    const [status, { leftOut }] = await restore('registry', { rows: backup })
    expect([status, leftOut.length > 0]).toEqual([200, true])
    expect((await operate('GET', '/me', undefined, token)).status).toBe(401)
    // A restore that was interrupted continues.
    expect(await restore('registry', { rows: backup })).toMatchObject([200, { written: 0, leftOut: [] }])
  })
})

describe('a registry that comes back where D1 was lost', () => {
  it('is as the audit log says: what was taken away since stays away', async () => {
    const [revoked, kept] = [await makeOperatorToken('viewer'), await makeOperatorToken('viewer')]
    const [closed, rekeyed, renewed] = [await makePos(), await makePos(), await makePos()]
    const { session } = await answerTo<{ session: string }>('POST', '/sessions')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY / 48 })
    const { apiKey: second } = await answerTo<{ apiKey: string }>('POST', `/pos/${renewed.id}/keys`)
    const backup = await rows()
    expect((await operate('POST', `/pos/${renewed.id}/keys/revoke`)).status).toBe(200)
    expect((await operate('POST', `/tokens/${revoked.id}/revoke`)).status).toBe(200)
    expect((await operate('POST', `/pos/${closed.id}/disable`)).status).toBe(200)
    vi.setSystemTime(Date.now() + DAY / 48)
    expect((await operate('POST', `/pos/${rekeyed.id}/keys`)).status).toBe(201)
    expect((await operate('POST', `/pos/${rekeyed.id}/keys/revoke`)).status).toBe(200)
    await loseRegistry()
    const [status, { leftOut }] = await restore('registry', { rows: backup })
    expect([status, leftOut]).toEqual([200, []])
    const statuses = await Promise.all([
      operate('GET', '/me', undefined, revoked.token),
      operate('GET', '/me', undefined, kept.token),
      askWith(closed.apiKey, 'GET', '/v1/guardian'),
      askWith(rekeyed.apiKey, 'GET', '/v1/guardian'),
      askWith(renewed.apiKey, 'GET', '/v1/guardian'),
      askWith(second, 'GET', '/v1/guardian'),
      askWith(pos.apiKey, 'GET', '/v1/guardian'),
      operateAt(env, 'GET', '/me', undefined, {
        cookie: `__Host-hub-session=${session}`,
        'sec-fetch-site': 'same-origin',
      }),
    ])
    expect(statuses.map((one) => one.status)).toEqual([401, 200, 401, 401, 401, 200, 200, 401])
    // It continues where it was interrupted, but only until the hub makes its next change.
    expect(await restore('registry', { rows: backup })).toMatchObject([200, { written: 0 }])
    await makePos()
    expect(await restore('registry', { rows: backup })).toMatchObject([409, {}])
    vi.useRealTimers()
  })

  const KEY = { apiKey: `live_${'x'.repeat(30)}` }
  const account = async (id: string) =>
    expect(
      (await operate('POST', '/accounts', { id, psp: 'mollie', mode: 'live', credentials: KEY })).status,
    ).toBe(201)
  const change = async (path: string, body?: object) =>
    expect([path, (await operate('POST', path, body)).status]).toEqual([path, 200])
  const registry = async (table: string) =>
    (await rows()).filter((one) => one.table === table).map(({ row }) => row)

  it('has routes, terminals and settings as the log left them, and names what it cannot have', async () => {
    withTerminals('mollie', null)
    const [moved, lost, plain] = await Promise.all(
      [1, 2, 3].map(async () => (await makePos({ mode: 'live', signReturn: true })).id),
    )
    for (const id of ['left', 'kept', 'rekeyed', 'removed']) await account(id)
    for (const id of ['t-moved', 't-gone', 't-default'])
      await change('/accounts/kept/terminals', { terminal: id, name: id })
    for (const id of [moved, lost, plain]) {
      await change(`/pos/${id}/routes`, { paymentMethod: '*', accounts: ['left', 'rekeyed'] })
      for (const terminal of ['t-moved', 't-gone', 't-default'])
        await change(`/pos/${id}/terminals`, { terminal, isDefault: terminal === 't-moved' })
    }
    const books = { id: 'po-1', currency: 'EUR', amount: 0, from: 1, total: 0, lines: [] }
    await change('/accounts/kept/currencies', { currencies: ['EUR', 'USD'] })
    await change('/books/months/2026-01/close', { note: '', mode: 'live' })
    await change('/books/accounts/kept/payouts', { ...books, paidAt: Date.UTC(2026, 0, 9) })
    for (const id of [moved, plain]) await change(`/pos/${id}/refund-pin`)
    const backup = await rows()

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY / 24 })
    await account('newer')
    await change('/accounts/kept/currencies', { currencies: ['EUR'] })
    await change('/accounts/rekeyed/credentials', { credentials: { apiKey: `live_${'y'.repeat(30)}` } })
    await change('/accounts/removed/remove?force=1')
    await change('/books/months/2026-01/reopen', { mode: 'live' })
    await change(`/pos/${moved}`, {
      signReturn: false,
      name: 'Moved',
      dialect: 'v1',
      refundLimits: ['EUR 9.00'],
    })
    await change(`/pos/${moved}/refund-pin`)
    await change(`/pos/${moved}/routes`, { paymentMethod: '*', accounts: ['kept'] })
    await change(`/pos/${moved}/routes`, { paymentMethod: 'ideal', accounts: ['rekeyed'] })
    await change(`/pos/${lost}/routes`, { paymentMethod: 'ideal', accounts: ['newer'] })
    await change(`/pos/${moved}/terminals`, { terminal: 't-moved', isAssigned: false })
    await change(`/pos/${moved}/terminals`, { terminal: 't-default', isDefault: true })
    for (const id of [moved, lost, plain])
      await change(`/pos/${id}/terminals`, { terminal: 't-gone', isAssigned: false })
    await change('/accounts/kept/terminals/t-gone/remove')
    await change('/accounts/kept/terminals', {
      terminal: 't-default',
      name: 'Door',
      alertHours: '09:00-18:00',
    })
    await loseRegistry()

    const [status, { leftOut }] = await restore('registry', { rows: backup })
    expect([status, leftOut]).toEqual([
      200,
      [
        expect.stringContaining('credentials of account rekeyed'),
        expect.stringContaining(`routes of ${lost}`),
      ],
    ])
    const routes = (await registry('routes')).map(({ pos: id, payment_method, position, account: at }) => [
      id,
      payment_method,
      position,
      at,
    ])
    expect(routes.toSorted()).toEqual(
      [
        [moved, '*', 0, 'kept'],
        [moved, 'ideal', 0, 'rekeyed'],
        [plain, '*', 0, 'left'],
        [plain, '*', 1, 'rekeyed'],
      ].toSorted(),
    )
    expect((await registry('pos_terminals')).map((row) => Object.values(row)).toSorted()).toEqual(
      [
        [moved, 't-default', 1],
        [lost, 't-moved', 1],
        [lost, 't-default', 0],
        [plain, 't-moved', 1],
        [plain, 't-default', 0],
      ].toSorted(),
    )
    expect(await registry('terminals')).toMatchObject([
      { id: 't-default', name: 'Door', alert_hours: '09:00-18:00' },
      { id: 't-moved' },
    ])
    expect(await registry('psp_accounts')).toMatchObject([
      { id: 'kept', currencies: '["EUR"]' },
      { id: 'left', sealed: expect.stringContaining('.') },
      { id: 'rekeyed', sealed: '' },
    ])
    const shop = (await registry('points_of_sale')).find(({ id }) => id === moved)
    expect(shop).toMatchObject({ name: 'Moved', sign_return: 0, dialect: 'v1', refund_limits: '{"EUR":900}' })
    expect(await registry('refund_pins')).toMatchObject([{ pos: plain }])
    expect([await registry('closed_months'), await registry('payouts')]).toMatchObject([
      [],
      [{ month: '2026-01' }],
    ])
    // It continues where it was interrupted, and in any pieces.
    for (const row of backup)
      expect(await restore('registry', { rows: [row] })).toMatchObject([200, { written: 0 }])
    vi.useRealTimers()
  })
})
