import type { Search } from '../../src/job-index/search.ts'
import type { Status } from '../../src/contract/values.ts'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../src/job/rules/job-row.ts'
import { type FoundJobs, findJobs, MOST_SCANNED } from '../../src/job-index/find-jobs.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { searchCost } from '../support/search-cost.ts'
import { EARLY, LATE, SHARDED, openShards, posAt, row } from '../support/shards.ts'

/** A search of one point of sale, as its own API makes it. */
type OwnSearch = {
  pos: string
  orderNumber: string | null
  status: Status | null
} & Pick<Search, 'from' | 'to' | 'after' | 'limit'>
function findOwnJobs(hub: Env, { orderNumber, status, ...search }: OwnSearch): Promise<FoundJobs> {
  return findJobs(hub, {
    ...search,
    keys: orderNumber === null ? [] : [{ is: 'orderNumber', text: orderNumber }],
    filter: status === null ? {} : { statuses: [status] },
  })
}

const EVERYTHING: OwnSearch = {
  pos: posAt(0),
  orderNumber: null,
  status: null,
  from: 0,
  to: LATE + 86_400_000_000,
  after: null,
  limit: 50,
}

/** The columns of the inserts below, in their order. */
const COLUMNS = `(created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
  updated, undelivered_at, sequence, announcement)`

beforeAll(openShards)
afterEach(() => vi.restoreAllMocks())

function idsOf(rows: readonly JobRow[]) {
  return rows.map(({ id }) => id)
}

/** Follows the pages of a search to their end. */
async function walk(hub: Env, search: OwnSearch): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  for (let pages = 1, after = search.after; ; pages++) {
    const page: FoundJobs = await findOwnJobs(hub, { ...search, after })
    expect(page.rows.length).toBeLessThanOrEqual(search.limit)
    ids.push(...idsOf(page.rows))
    if (!page.next) return { ids, pages }
    expect(page.next).not.toEqual(after)
    after = page.next
  }
}

describe('over shards', () => {
  let all: JobRow[]
  const STATUSES: Status[] = ['PENDING', 'SUCCESS', 'FAILURE']
  beforeEach(async () => {
    for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
      await database.prepare('delete from jobs').run()
    }
    all = Array.from({ length: 36 }, (_, n) =>
      row({
        created: (n < 12 ? EARLY : LATE) + Math.floor(n / 2),
        pos: posAt(n % 2 === 0 ? 0 : 1),
        orderNumber: `A-${n % 3}`,
        status: STATUSES[Math.floor(n / 2) % 3] ?? 'PENDING',
      }),
    )
    await writeRows(SHARDED, all)
  })
  const sorted = (rows: readonly JobRow[]) =>
    idsOf(rows.toSorted((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1)))

  it.each<[string, Partial<OwnSearch>, (job: JobRow) => boolean]>([
    ['all', {}, () => true],
    ['by status', { status: 'SUCCESS' }, (job) => job.status === 'SUCCESS'],
    ['by order number', { orderNumber: 'A-1' }, (job) => job.orderNumber === 'A-1'],
    [
      'by both, in a time',
      { orderNumber: 'A-1', status: 'FAILURE', from: EARLY + 1, to: LATE + 14 },
      (job) =>
        job.orderNumber === 'A-1' &&
        job.status === 'FAILURE' &&
        job.created > EARLY &&
        job.created < LATE + 14,
    ],
  ])(
    'a point of sale finds its own jobs %s, newest first, in pages of any size',
    async (_, search, wanted) => {
      for (const pos of [posAt(0), posAt(1)]) {
        const own = all.filter((job) => job.pos === pos && wanted(job))
        for (const limit of [1, 3, 50]) {
          const { ids } = await walk(SHARDED, { ...EVERYTHING, ...search, pos, limit })
          expect(ids).toEqual(sorted(own))
        }
      }
    },
  )
})

it('a shard that is not looked through to its end holds back what older ones have found', async () => {
  for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
    await database.prepare('delete from jobs').run()
  }
  const search: OwnSearch = { ...EVERYTHING, pos: posAt(0), status: 'FAILURE' }
  const wanted = [EARLY, EARLY + 1, LATE].map((created) => row({ created, status: 'FAILURE' }))
  const others = Array.from({ length: MOST_SCANNED + 10 }, (_, n) => row({ created: LATE + 1 + n }))
  await writeRows(SHARDED, wanted)
  for (let at = 0; at < others.length; at += 100) await writeRows(SHARDED, others.slice(at, at + 100))
  const { ids, pages } = await walk(SHARDED, search)
  expect(ids).toEqual(wanted.map(({ id }) => id).toReversed())
  expect(pages).toBe(2)
})

describe('however many jobs there are', () => {
  /** Makes `count` jobs of one point of sale and as many of others. One in `rare` is FAILURE. */
  const fill = async (count: number, rare: number): Promise<void> => {
    await env.DB.prepare('delete from jobs').run()
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 * 2 - 1)
       insert into jobs ${COLUMNS} select ?2 + i * 1000000, printf('00000000-0000-4000-8000-%012x', i),
         iif(i % 2, ?3, printf('%032x', 99 + i % 20)), 'sandbox', 'ideal', i,
         'same', 'EUR', 1250, 0, iif((i - 1) / 2 % ?4 = 0, 'FAILURE', 'SUCCESS'), ?2 + i, null, 1, 'announced' from n`,
    )
      .bind(count, LATE, EVERYTHING.pos, rare)
      .run()
  }

  /** Runs a search, with the rows that D1 read for it and the plans of its statements. */
  const cost = async (changes: Partial<OwnSearch>) => {
    const search = { ...EVERYTHING, to: Number.MAX_SAFE_INTEGER, limit: 20, ...changes }
    const { found, read, plan } = await searchCost(() => findOwnJobs(env, search))
    const plans = plan.filter((detail) => /SEARCH jobs|SCAN jobs/.test(detail))
    return { found: found.rows.length, next: found.next, read, plans }
  }

  it('a search for a rare status looks through a bounded part, and says where it goes on', async () => {
    await fill(6000, 2500)
    const first = await cost({ status: 'FAILURE' })
    expect(first.next).not.toBeNull()
    expect(first.read).toBeLessThanOrEqual(3 * MOST_SCANNED)
    expect(first.plans.every((plan) => plan.includes('USING PRIMARY KEY'))).toBe(true)
    const { ids, pages } = await walk(env, {
      ...EVERYTHING,
      to: Number.MAX_SAFE_INTEGER,
      status: 'FAILURE',
    })
    // Of the numbers 0, 2500 and 5000, newest first.
    expect(ids).toEqual(
      [5000, 2500, 0].map((n) => `00000000-0000-4000-8000-${(n * 2 + 1).toString(16).padStart(12, '0')}`),
    )
    expect(pages).toBe(6000 / MOST_SCANNED + 1)
  })

  it('an order number that others use as well finds a stranger nothing, and costs nothing', async () => {
    await fill(3000, 1)
    const stranger = await cost({ pos: 'f'.repeat(32), orderNumber: 'same' })
    expect(stranger).toMatchObject({ found: 0, next: null })
    expect(stranger.read).toBeLessThanOrEqual(2)
  })

  it('jobs of others with the same order number hide none, and make no page longer', async () => {
    await fill(3000, 1)
    const own = row({ created: LATE - 1, pos: 'f'.repeat(32), orderNumber: 'same', status: 'FAILURE' })
    await writeRows(env, [own])
    for (const status of [null, 'FAILURE'] as const) {
      const search = { ...EVERYTHING, to: Number.MAX_SAFE_INTEGER, pos: own.pos, orderNumber: 'same', status }
      expect(await findOwnJobs(env, search)).toEqual({ rows: [own], next: null })
    }
  })

  it.each([MOST_SCANNED - 1, MOST_SCANNED, MOST_SCANNED + 1])(
    'with %i jobs of an order number, the next page is told by an own job and never by that of another',
    async (count) => {
      await env.DB.prepare('delete from jobs').run()
      // The other's job is the next one behind all those of the point of sale.
      await env.DB.prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
         insert into jobs ${COLUMNS} select ?2 + 10 + i, printf('00000000-0000-4000-8000-%012x', i), ?3, 'sandbox', 'ideal', i,
           'same', 'EUR', 1250, 0, 'SUCCESS', ?2, null, 1, 'announced' from n`,
      )
        .bind(count, LATE, EVERYTHING.pos)
        .run()
      await writeRows(env, [row({ created: LATE, pos: 'f'.repeat(32), orderNumber: 'same' })])
      const search: OwnSearch = { ...EVERYTHING, orderNumber: 'same', status: 'FAILURE', limit: 1 }
      const places: string[] = []
      for (let after: OwnSearch['after'] = null; ;) {
        const page: FoundJobs = await findOwnJobs(env, { ...search, after })
        expect(page.rows).toEqual([])
        after = page.next
        if (!after) break
        places.push(after.id)
      }
      const end = count >= MOST_SCANNED ? [count - MOST_SCANNED] : []
      expect(places).toEqual(end.map((n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`))
    },
  )
})
