import { createScheduledController, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { toHex } from '../../src/platform/crypto/hash.ts'
import type { AuditRecord } from '../../src/audit/audit-chain.ts'
import worker from '../../src/index.ts'
import { headsAfter, keepHeads } from '../../src/audit/audit-heads.ts'
import { type AuditLog, MOST_LOOKED_AT, verifyChain } from '../../src/audit/audit-log.ts'

/** Each test has its own log, because all files that share this runtime write to the hub's. */
let log: DurableObjectStub<AuditLog>
let logs = 0
beforeEach(() => {
  log = env.AUDIT_LOG.getByName(`log of test ${++logs}`)
  return () => void vi.useRealTimers()
})

const record: AuditRecord = {
  by: 'Zoë 🧾',
  role: 'operator',
  via: 'token',
  token: '',
  action: 'pos.update',
  subject: 'shop',
  result: 'begun',
  of: null,
  request: 'r-1',
  before: null,
  after: { name: 'Café', signReturn: true, number: 7, nothing: null, accounts: ['a', 'b'] },
}

async function fill(count: number): Promise<void> {
  for (let entry = 0; entry < count; entry++) await log.append({ ...record, subject: `shop-${entry}` })
}

/** Changes the log like an attacker who can write to the object's storage. */
function tamper(...statements: string[]): Promise<void> {
  return runInDurableObject(log, (_, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement)
  })
}

async function wrong(heads: Parameters<typeof verifyChain>[2] = []) {
  return (await verifyChain(log, 0, heads, 1000)).wrong
}

describe('the audit log', () => {
  it('chains simultaneous entries one after another', async () => {
    const places = await Promise.all(Array.from({ length: 40 }, () => log.append(record)))
    expect(places.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 40 }, (_, place) => place + 1),
    )
    expect(await verifyChain(log, 0, [], 1000)).toMatchObject({ entries: 40, wrong: null, next: null })
  })

  it('searches a limited part, and says where to go on', async () => {
    await fill(1)
    await tamper(`insert into entries with recursive of(number) as (select 2 union all select number + 1 from of where number <= ${MOST_LOOKED_AT})
      select of.number, at, null, hash, entry from of cross join entries where entries.number = 1`)
    await log.append({ ...record, action: 'pos.create' })
    const wanted = { from: 0, to: 1e15, by: null, action: 'pos.create', subject: null, limit: 50 }
    const search = (asked: object) => log.search({ ...wanted, before: 1e15, ...asked })
    expect(await search({})).toMatchObject({ entries: [{ number: MOST_LOOKED_AT + 2 }], next: 3 })
    expect(await search({ before: 3 })).toMatchObject({ entries: [], next: null })
    expect(await search({ action: 'pos.none' })).toMatchObject({ entries: [], next: 3 })
    const all = await search({ action: 'pos.update', before: 3 })
    expect(all.entries.map(({ number }) => number)).toEqual([2, 1])
  })

  it('finds the newest changes of a kind behind any number of others, and over entries that are no JSON', async () => {
    const { number: of } = await log.append({ ...record, action: 'pos.create' })
    await log.append({ ...record, action: 'pos.create', subject: 'made', result: 'done', of })
    await tamper(`insert into entries with recursive of(number) as (select 3 union all select number + 1 from of where number <= ${MOST_LOOKED_AT})
      select of.number, at, null, hash, '{' from of cross join entries where entries.number = 1`)
    expect(await log.newestDone('pos.create', 0, 20)).toEqual([{ number: 2, subject: 'made' }])
    expect(await log.newestDone('pos.create', 2, 20)).toEqual([])
  })

  it('hashes the documented form', async () => {
    vi.setSystemTime(Date.UTC(2031, 0, 31, 10))
    const { hash } = await log.append({ ...record, after: { b: ['x', ''], a: -1, c: null, d: false } })
    const after = '+1:a,3:n-1,1:b,8:l1:x,0:,,1:c,1:z,1:d,1:f,'
    const text =
      `64:${'0'.repeat(64)},1:1,24:2031-01-31T10:00:00.000Z,9:Zoë 🧾,8:operator,5:token,0:,10:pos.update,` +
      `4:shop,5:begun,0:,3:r-1,0:,${after.length}:${after},`
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
    expect(hash).toBe(toHex(digest))
  })

  it('never goes back in time, even if its clock does', async () => {
    vi.setSystemTime(Date.UTC(2031, 0, 31, 10))
    await log.append(record)
    vi.setSystemTime(Date.UTC(2031, 0, 31, 9))
    await log.append(record)
    const [one, other] = await log.page(0, 0, Number.MAX_SAFE_INTEGER, 10)
    expect(other?.at).toBe(one?.at)
  })

  it('takes a change while many verify it, before most of them have their page', async () => {
    await fill(200)
    const ended: string[] = []
    const verified = Array.from({ length: 20 }, async () => {
      await verifyChain(log, 0, [], 200)
      ended.push('verified')
    })
    await verifyChain(log, 0, [], 10)
    await log.append(record)
    ended.push('changed')
    await Promise.all(verified)
    expect(ended.indexOf('changed')).toBeLessThan(10)
  })

  it('is verified page by page', async () => {
    await fill(7)
    const first = await verifyChain(log, 0, [], 3)
    expect(first).toMatchObject({ entries: 3, wrong: null, head: { number: 3 }, next: 3 })
    const last = await verifyChain(log, 6, [], 3)
    expect(last).toMatchObject({ entries: 1, wrong: null, head: { number: 7 }, next: null })
    expect(last.unfinished).toEqual([7])
    expect(await verifyChain(log, 7, [], 3)).toMatchObject({ entries: 0, head: last.head, next: null })
  })
})

it('a search and a verification report changes that have no end, as far as the log is valid', async () => {
  const { number } = await log.append(record)
  await log.append({ ...record, result: 'done', of: number })
  const open = await log.append(record)
  const all = { before: 1000, from: 0, to: Number.MAX_SAFE_INTEGER, by: null, action: null, subject: null }
  expect(await log.search({ ...all, limit: 10 })).toMatchObject({ unfinished: [open.number] })
  expect((await verifyChain(log, 0, [], 100)).unfinished).toEqual([open.number])
  await tamper(`update entries set hash = '${'ab'.repeat(32)}' where number = ${open.number}`)
  expect((await verifyChain(log, 0, [], 100)).unfinished).toEqual([])
})

describe('a log that was tampered with', () => {
  it.each<[string, string[], number, string]>([
    [
      'an edited value',
      [`update entries set entry = replace(entry, 'shop-3', 'shop-9') where number = 4`],
      4,
      'is not what',
    ],
    [
      'a member that is not hashed',
      [`update entries set entry = replace(entry, '"subject"', '"note":"all","subject"') where number = 4`],
      4,
      'is not what',
    ],
    [
      'a member that is there twice',
      [`update entries set entry = replace(entry, '"subject"', '"subject":"x","subject"') where number = 4`],
      4,
      'is not what',
    ],
    [
      'a value of another kind',
      [`update entries set entry = replace(entry, '"number":7', '"number":7.0') where number = 4`],
      4,
      'is not what',
    ],
    ['another time', ['update entries set at = at - 1 where number = 4'], 4, 'is not what'],
    ['another end', ['update entries set ends = 2 where number = 4'], 4, 'is not what'],
    ['an entry that is not JSON', [`update entries set entry = '' where number = 4`], 4, 'is not what'],
    ['a forged hash', [`update entries set hash = '${'ab'.repeat(32)}' where number = 4`], 4, 'is not what'],
    ['a removed entry', ['delete from entries where number = 4'], 4, 'is missing'],
    ['a removed first entry', ['delete from entries where number = 1'], 1, 'is missing'],
    [
      'two swapped entries',
      [
        'update entries set number = 99 where number = 4',
        'update entries set number = 4 where number = 5',
        'update entries set number = 5 where number = 99',
      ],
      4,
      'is not what',
    ],
    [
      'a removed entry whose number the next ones took',
      ['delete from entries where number = 4', 'update entries set number = number - 1 where number > 4'],
      4,
      'is not what',
    ],
  ])('by %s is found wrong at that entry', async (_, statements, number, reason) => {
    await fill(8)
    expect(await wrong()).toBeNull()
    await tamper(...statements)
    expect(await wrong()).toEqual({ number, reason: expect.stringContaining(reason) as string })
  })

  it('at its end contradicts the head of a day', async () => {
    await fill(8)
    const heads = (await log.headsSince({ number: 0, hash: '' })) ?? []
    expect(heads).toMatchObject([{ number: 8 }])
    await tamper('delete from entries where number > 5')
    expect(await wrong()).toBeNull()
    expect(await wrong(heads)).toEqual({ number: 6, reason: expect.stringContaining('is missing') as string })
    await fill(4)
    expect(await wrong(heads)).toEqual({
      number: 8,
      reason: expect.stringContaining('differs from the head') as string,
    })
    await tamper('delete from entries')
    expect(await wrong(heads)).toMatchObject({ number: 1 })
  })

  it('is compared with the head of a day on the page that has its entry, which is only missing at the end', async () => {
    await fill(8)
    const verify = (number: number, limit: number) =>
      verifyChain(log, 0, [{ day: '2026-01-31', number, hash: 'another' }], limit)
    expect(await verify(4, 3)).toMatchObject({ wrong: null, next: 3 })
    expect(await verify(5, 5)).toMatchObject({ wrong: { number: 5 } })
    expect(await verify(9, 5)).toMatchObject({ wrong: null, next: 5 })
    expect(await verify(9, 100)).toMatchObject({ wrong: { number: 9 } })
  })

  it('before a valid page is found by the page that it is on', async () => {
    await fill(8)
    await tamper('delete from entries where number = 3')
    expect((await verifyChain(log, 3, [], 3)).wrong).toEqual({ number: 3, reason: 'is missing' })
  })
})

it.each([
  ['of a later release', `replace(entry, '"version":1', '"version":99')`, 'is of version 99'],
  ['that is not JSON', `''`, 'is not what was written'],
])('an entry %s is reported with its number, and hides no other', async (_, entry, reason) => {
  await fill(3)
  await tamper(`update entries set entry = ${entry} where number = 2`)
  expect(await wrong()).toEqual({ number: 2, reason: expect.stringContaining(reason) as string })
  const all = { before: 1000, from: 0, to: 1e15, by: 'Zoë 🧾', action: null, subject: null, limit: 10 }
  const found = await log.search(all)
  expect(found).toMatchObject({ entries: [{ number: 3 }, { number: 1 }], unreadable: [2] })
  const exported = await log.page(0, 0, 1e15, 10)
  expect(exported).toMatchObject([
    { number: 1 },
    { number: 2, unreadable: expect.stringContaining(reason) },
    {},
  ])
})

it('a log that ends before the entry after which it is verified is wrong', async () => {
  await fill(3)
  expect((await verifyChain(log, 4, [], 10)).wrong).toEqual({ number: 4, reason: 'is missing' })
})

describe('the head of a day', () => {
  const DAY = 86_400_000

  /** Runs the hub's schedule with this test's log. */
  const runCron = async (hubLog: object = log): Promise<void> => {
    const AUDIT_LOG = { getByName: () => hubLog }
    const SWEEPS = { sendBatch: async () => {} }
    const controller = createScheduledController({ cron: '17 * * * *', scheduledTime: new Date() })
    await worker.scheduled?.(controller as never, { ...env, AUDIT_LOG, SWEEPS } as never)
  }

  it('is stored in D1 and logged every hour, and never replaced by one that contradicts it', async () => {
    await env.DB.prepare('delete from audit_heads').run()
    const told = vi.spyOn(console, 'log').mockReturnValue()
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    const start = Date.UTC(2032, 0, 1, 23)
    vi.setSystemTime(start)
    await fill(2)
    await runCron()
    await fill(1)
    vi.setSystemTime(start + DAY)
    await fill(2)
    await runCron()
    await runCron()
    const heads = await headsAfter(env.DB, 0)
    expect(heads).toMatchObject([
      { day: '2032-01-01', number: 3 },
      { day: '2032-01-02', number: 5 },
    ])
    expect(await wrong(heads)).toBeNull()
    const events = told.mock.calls.map(([entry]) => entry as { event: string; number: number })
    expect(events.filter(({ event }) => event === 'audit.head').map(({ number }) => number)).toEqual([
      2, 3, 5,
    ])
    await keepHeads(env.DB, [{ day: '2032-01-02', number: 4, hash: 'older' }])
    expect(await headsAfter(env.DB, 0)).toEqual(heads)
    await tamper('delete from entries where number > 4')
    await fill(3)
    await runCron()
    expect(await headsAfter(env.DB, 0)).toEqual(heads)
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'audit.broken', number: 5 }))
    await env.DB.prepare('delete from audit_heads').run()
    vi.restoreAllMocks()
  })

  it("waits for the next hour if the audit log does not answer, and the Worker's log says so", async () => {
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    await runCron({ headsSince: async () => Promise.reject(new Error('the log is down')) })
    expect(failed).toHaveBeenCalledWith(
      expect.objectContaining({
        event: 'audit.head-failed',
        error: expect.stringContaining('the log is down'),
      }),
    )
    vi.restoreAllMocks()
  })
})
