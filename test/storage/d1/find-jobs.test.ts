import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../../src/domain/job-row.ts'
import { type FoundJobs, type Search, findJobs } from '../../../src/storage/d1/find-jobs.ts'
import { writeRows } from '../../../src/storage/d1/job-index.ts'
import { EARLY, LATE, SHARDED, brokenDatabase, openShards, posAt, row } from '../../support/shards.ts'

/** Of the time of these tests: a job that another file has made gets its row later, by the queue. */
const EVERYTHING: Search = {
  keys: [],
  filter: {},
  pos: null,
  from: 0,
  to: LATE + 86_400_000_000,
  after: null,
  limit: 100,
}

/** A search for some of everything. */
type Wanted = Partial<Search> & { orderNumber?: string }
const searchOf = ({ orderNumber, ...changes }: Wanted): Search => ({
  ...EVERYTHING,
  ...(orderNumber === undefined ? {} : { keys: [{ is: 'orderNumber', text: orderNumber }] }),
  ...changes,
})

/** The columns that a row has in every release, in the order of the inserts below. */
const COLUMNS = `(created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
  updated, undelivered_at, sequence)`

beforeAll(openShards)
afterEach(() => vi.restoreAllMocks())

describe('over shards', () => {
  let all: JobRow[]
  beforeEach(async () => {
    for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
      await database.prepare('delete from jobs').run()
    }
    // Pairs are of the same microsecond, and their points of sale in different shards.
    all = Array.from({ length: 24 }, (_, n) =>
      row({
        created: (n < 8 ? EARLY : LATE) + Math.floor(n / 2),
        pos: posAt(n % 2 === 0 ? 0 : 1),
        orderNumber: `A-${n % 3}`,
      }),
    )
    await writeRows(SHARDED, all)
  })

  const idsOf = (rows: readonly JobRow[]) => rows.map(({ id }) => id)
  const sorted = (rows: readonly JobRow[]) =>
    idsOf(rows.toSorted((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1)))
  const search = async (changes: Wanted, hub = SHARDED) =>
    idsOf((await findJobs(hub, searchOf(changes))).rows)

  it('jobs come newest first, by their time, their point of sale and their order number', async () => {
    expect(await search({})).toEqual(sorted(all))
    const [pos, orderNumber] = [posAt(1), 'A-2']
    const ofPos = all.filter((job) => job.pos === pos)
    expect(await search({ pos })).toEqual(sorted(ofPos))
    expect(await search({ orderNumber })).toEqual(
      sorted(all.filter((job) => job.orderNumber === orderNumber)),
    )
    expect(await search({ pos, orderNumber })).toEqual(
      sorted(ofPos.filter((job) => job.orderNumber === orderNumber)),
    )
    const [from, to] = [EARLY + 2, LATE + 6]
    expect(await search({ from, to })).toEqual(
      sorted(all.filter(({ created }) => created >= from && created < to)),
    )
  })

  it.each([1, 2, 5, 24])('pages of %i go through all of them, each once', async (limit) => {
    const seen: string[] = []
    for (let after: Search['after'] = null; ;) {
      const page: FoundJobs = await findJobs(SHARDED, searchOf({ after, limit }))
      expect(page.rows.length).toBeLessThanOrEqual(limit)
      seen.push(...idsOf(page.rows))
      after = page.next
      if (!after) break
    }
    expect(seen).toEqual(sorted(all))
  })

  it('a shard that cannot have such jobs is not asked', async () => {
    const year = Date.UTC(2020, 0) * 1000
    const recent = { ...SHARDED, DB: brokenDatabase() }
    expect(await search({ from: year }, recent)).toHaveLength(16)
    expect(
      await search({ from: year, pos: posAt(0) }, { ...recent, INDEX_2: brokenDatabase() }),
    ).toHaveLength(8)
    const early = { ...SHARDED, INDEX_1: brokenDatabase(), INDEX_2: brokenDatabase() }
    expect(await search({ to: year }, early)).toHaveLength(8)
    expect(await search({ after: { created: EARLY + 2, id: '' } }, early)).toHaveLength(4)
    await expect(search({}, early)).rejects.toThrow()
  })
})

describe('beside the release before', () => {
  const ORDER = 'order by created desc, id desc limit 20'
  it.each([
    [`select * from jobs where order_number = ? and created >= ? and (created, id) < (?, ?) ${ORDER}`, []],
    [
      `select * from jobs where order_number = ? and +pos = ? and created >= ? and (created, id) < (?, ?) ${ORDER}`,
      [posAt(0)],
    ],
  ])('what 0.2.0 asks for finds its rows by the index of today: %s', async (query, pos) => {
    await env.INDEX_1.prepare('delete from jobs').run()
    const [older, newer] = [row({ orderNumber: 'S-1' }), row({ orderNumber: 'S-1', created: LATE + 1 })]
    await writeRows(SHARDED, [older, newer, row({ orderNumber: 'S-2' })])
    const values = ['S-1', ...pos, 0, LATE + 2, '']
    const bound = (text: string) => env.INDEX_1.prepare(text).bind(...values)
    expect((await bound(query).all()).results.map(({ id }) => id)).toEqual([newer.id, older.id])
    const plan = await bound(`explain query plan ${query}`).all()
    expect(plan.results[0]?.['detail']).toBe('SEARCH jobs USING INDEX jobs_by_order_number (order_number=?)')
  })

  it('a search by order number works where the index is still that of 0.2.0', async () => {
    await env.INDEX_1.prepare('delete from jobs').run()
    const rows = [0, 1, 2].map((n) => row({ orderNumber: 'S-1', created: LATE + n }))
    await writeRows(SHARDED, [...rows, row({ orderNumber: 'S-2' })])
    const reindex = (columns: string) =>
      env.INDEX_1.batch([
        env.INDEX_1.prepare('drop index jobs_by_order_number'),
        env.INDEX_1.prepare(`create index jobs_by_order_number on jobs (${columns})`),
      ])
    await reindex('order_number, created')
    try {
      for (const pos of [null, posAt(0)]) {
        const found = await findJobs(SHARDED, searchOf({ from: LATE, orderNumber: 'S-1', pos }))
        expect(found).toEqual({ rows: rows.toReversed(), next: null })
      }
    } finally {
      await reindex('order_number, pos, created')
    }
  })
})

describe('however many jobs there are', () => {
  /** Makes `count` jobs of 20 points of sale, a second apart; five of them have the order number `same`. */
  const fill = async (count: number): Promise<void> => {
    await env.DB.prepare('delete from jobs').run()
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
       insert into jobs ${COLUMNS} select ?2 + i * 1000000, printf('%032x', i), printf('pos-%d', i % 20), 'sandbox', 'ideal', i,
         iif(i % (?1 / 5) = 0, 'same', printf('A-%d', i)), 'EUR', 1250, 0, 'PENDING', ?2 + i, null, 1 from n`,
    )
      .bind(count, LATE)
      .run()
  }

  /** Runs a search, and again as SQL that says how it went. */
  const cost = async (changes: Wanted) => {
    const { prepare } = env.DB
    const statements: { query: string; values: unknown[] }[] = []
    const spy = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
      const statement = prepare.call(env.DB, query)
      const { bind } = statement
      statement.bind = (...values) => {
        // The index queue writes rows of other files' jobs meanwhile.
        if (query.startsWith('select')) statements.push({ query, values })
        return bind.apply(statement, values)
      }
      return statement
    })
    const found = await findJobs(env, searchOf({ limit: 20, ...changes }))
    spy.mockRestore()
    expect(statements).toHaveLength(1)
    const { query = '', values = [] } = statements[0] ?? {}
    const { meta } = await env.DB.prepare(query)
      .bind(...values)
      .all()
    const plan = await env.DB.prepare(`explain query plan ${query}`)
      .bind(...values)
      .all<{ detail: string }>()
    return { found: found.rows.length, read: meta.rows_read, plan: plan.results.map(({ detail }) => detail) }
  }

  it.each<[string, Wanted, number, string]>([
    ['of a point of sale', { pos: 'pos-7' }, 20, 'USING PRIMARY KEY'],
    [
      'of a point of sale, in a time',
      { pos: 'pos-7', from: LATE, to: LATE + 100_000_000 },
      5,
      'USING PRIMARY KEY',
    ],
    [
      'by order number and point of sale',
      { orderNumber: 'same', pos: 'pos-0' },
      5,
      'USING INDEX jobs_by_order_number (order_number=? AND pos=? AND created>? AND (created,id)<(?,?))',
    ],
  ])('a search %s is one range of an index, and reads no more of it', async (_, search, found, index) => {
    await fill(1000)
    const few = await cost(search)
    await fill(20_000)
    const many = await cost(search)
    expect(many).toEqual(few)
    expect(many.found).toBe(found)
    expect(many.plan[0]).toContain(index)
    expect(many.read).toBeLessThanOrEqual(2 * found + 2)
  })

  it.each<[string, Wanted]>([
    ['alone', {}],
    ['between two moments', { from: LATE + 1_000_000, to: LATE + 900_000_000 }],
    ['of a page far down', { after: { created: LATE + 800_000_000, id: '' } }],
  ])('a search by time %s reads as much of each point of sale', async (_, search) => {
    await fill(1000)
    const few = await cost(search)
    await fill(20_000)
    const many = await cost(search)
    expect([few.found, many.found]).toEqual([20, 20])
    expect(many.read).toBeLessThanOrEqual(few.read * 1.1)
    expect(many.read).toBeLessThanOrEqual(20 * 7 * 20)
  })

  /** Makes jobs of one order number, 25 at each of 40 points of sale, all of them among `others` of another number. */
  const share = async (others: number): Promise<void> => {
    await fill(others)
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
       insert into jobs ${COLUMNS} select ?1 + i, printf('00000000-0000-4000-8000-%012x', i), printf('shop-%d', i % 40), 'sandbox',
         'ideal', i, 'shared', 'EUR', 1250, 0, 'PENDING', ?1 + i, null, 1 from n`,
    )
      .bind(LATE)
      .run()
  }

  it.each<[string, Wanted, number, number]>([
    ['that one point of sale has', { orderNumber: 'same' }, 5, 8 * 5],
    ['that none has', { orderNumber: 'none' }, 0, 8],
    ['that many share', { orderNumber: 'shared', limit: 3 }, 3, 40 * 8 * (3 + 1)],
    [
      'of a page far down',
      { orderNumber: 'shared', limit: 3, after: { created: LATE + 500, id: '' } },
      3,
      40 * 8 * (3 + 1),
    ],
  ])('a search by an order number %s reads no more of an index', async (_, search, found, most) => {
    await share(1000)
    const few = await cost(search)
    await share(20_000)
    const many = await cost(search)
    expect(many).toEqual(few)
    expect(many.found).toBe(found)
    expect(many.read).toBeLessThanOrEqual(most)
    expect(many.plan.join()).toContain('jobs_by_order_number (order_number=? AND pos>?)')
    expect(many.plan.join()).not.toMatch(/SCAN jobs|SCAN newest/)
  })

  it('jobs that many points of sale made with one order number come newest first, page by page', async () => {
    await share(1000)
    const seen: string[] = []
    for (let after: Search['after'] = null; ;) {
      const page: FoundJobs = await findJobs(env, searchOf({ orderNumber: 'shared', after, limit: 300 }))
      seen.push(...page.rows.map(({ id }) => id))
      after = page.next
      if (!after) break
    }
    const newest = Array.from({ length: 1000 }, (_, n) => 999 - n)
    expect(seen).toEqual(newest.map((n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`))
  })
})
