import type { Search } from '../../src/job-index/search.ts'
import type { Status } from '../../src/contract/values.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JobRow } from '../../src/job/core/row.ts'
import { type FoundJobs, findJobs, MOST_SCANNED } from '../../src/job-index/find-jobs.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { searchCost } from '../support/hub/search-cost.ts'
import { EARLY, LATE, LATER, SHARDED, brokenDatabase, openShards, posAt, row } from '../support/hub/shards.ts'
import { COLUMNS, type Wanted, searchOf } from './search-of.ts'

/** A search at one point of sale. */
const OWN: Wanted = { pos: posAt(0), limit: 50 }
function withStatus(...statuses: Status[]): Wanted {
  return { filter: { statuses } }
}

beforeAll(openShards)

async function deleteJobs(): Promise<void> {
  for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) await database.prepare('delete from jobs').run()
}

function idsOf(rows: readonly JobRow[]) {
  return rows.map(({ id }) => id)
}

/** Follows the pages of a search to their end. */
async function walk(hub: Env, wanted: Wanted): Promise<{ ids: string[]; pages: number }> {
  const search = searchOf(wanted)
  const ids: string[] = []
  for (let pages = 1, after = search.after; ; pages++) {
    const page: FoundJobs = await findJobs(hub, { ...search, after })
    expect(page.rows.length).toBeLessThanOrEqual(search.limit)
    ids.push(...idsOf(page.rows))
    if (!page.next) return { ids, pages }
    expect(page.next).not.toEqual(after)
    after = page.next
  }
}

describe('over shards', () => {
  let all: JobRow[]
  const NOW = Date.UTC(2026, 0)
  const STATUSES: Status[] = ['PENDING', 'SUCCESS', 'FAILURE']
  beforeEach(async () => {
    await deleteJobs()
    // Two jobs each have the same microsecond.
    all = Array.from({ length: 36 }, (_, n) =>
      row({
        created: (n < 12 ? EARLY : n < 24 ? LATE : LATER) + Math.floor(n / 2),
        pos: posAt(n % 2 === 0 ? 0 : 1),
        orderNumber: `A-${n % 3}`,
        status: STATUSES[Math.floor(n / 2) % 3] ?? 'PENDING',
        captureBefore: n % 3 === 0 ? null : NOW + n,
      }),
    )
    await writeRows(SHARDED, all)
  })
  const sorted = (rows: readonly JobRow[]) =>
    idsOf(rows.toSorted((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1)))

  it.each<[string, Wanted, (job: JobRow) => boolean]>([
    ['all', {}, () => true],
    ['by status', withStatus('SUCCESS'), (job) => job.status === 'SUCCESS'],
    ['by order number', { orderNumber: 'A-1' }, (job) => job.orderNumber === 'A-1'],
    [
      'by both, in a span',
      { orderNumber: 'A-1', ...withStatus('FAILURE'), from: EARLY + 1, to: LATE + 22 },
      (job) =>
        job.orderNumber === 'A-1' &&
        job.status === 'FAILURE' &&
        job.created > EARLY &&
        job.created < LATE + 22,
    ],
    [
      'by the end of a reservation',
      { filter: { reservedUntil: NOW + 20 } },
      ({ captureBefore: ends }) => ends !== null && ends < NOW + 20,
    ],
    [
      'by that and an order number',
      { orderNumber: 'A-1', filter: { reservedUntil: NOW + 20 } },
      ({ captureBefore: ends, orderNumber }) => ends !== null && ends < NOW + 20 && orderNumber === 'A-1',
    ],
    ['by point of sale', { keys: [{ is: 'pos', text: posAt(1) }] }, (job) => job.pos === posAt(1)],
  ])('jobs are found %s, newest first, in pages of any size', async (_, search, isWanted) => {
    for (const pos of [null, posAt(0), posAt(1)]) {
      const wanted = all.filter((job) => (pos === null || job.pos === pos) && isWanted(job))
      for (const limit of [1, 5, 50]) {
        const { ids } = await walk(SHARDED, { ...search, pos, limit })
        expect(ids).toEqual(sorted(wanted))
      }
    }
  })

  it('a shard that cannot have such jobs is not asked', async () => {
    const search = async (changes: Wanted, hub: Env) => (await findJobs(hub, searchOf(changes))).rows
    const year = Date.UTC(2020, 0) * 1000
    const recent = { ...SHARDED, DB: brokenDatabase() }
    expect(await search({ from: year }, recent)).toHaveLength(24)
    const only2020 = { ...recent, INDEX_2: brokenDatabase() }
    expect(await search({ from: year, to: Date.UTC(2021, 0) * 1000 }, only2020)).toHaveLength(12)
    const early = { ...SHARDED, INDEX_1: brokenDatabase(), INDEX_2: brokenDatabase() }
    expect(await search({ to: year }, early)).toHaveLength(12)
    expect(await search({ after: { created: EARLY + 2, id: '' } }, early)).toHaveLength(4)
    await expect(search({}, early)).rejects.toThrow()
  })
})

it('a shard that was not searched to its end holds back the finds of older shards', async () => {
  await deleteJobs()
  const search: Wanted = { ...OWN, ...withStatus('FAILURE') }
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
      .bind(count, LATE, posAt(0), rare)
      .run()
  }

  /** Runs a search, and returns the rows that D1 read for it and the plans of its statements. */
  const cost = async (changes: Wanted) => {
    const search = searchOf({ ...OWN, limit: 20, ...changes })
    const { found, read, plan } = await searchCost(() => findJobs(env, search))
    const plans = plan.filter((detail) => /SEARCH jobs|SCAN jobs/.test(detail))
    return { found: found.rows.length, next: found.next, read, plans }
  }

  it('a search for a rare status looks through a bounded part, and says where it continues', async () => {
    await fill(6000, 2500)
    const first = await cost(withStatus('FAILURE'))
    expect(first.next).not.toBeNull()
    expect(first.read).toBeLessThanOrEqual(3 * MOST_SCANNED)
    expect(first.plans.every((plan) => plan.includes('USING PRIMARY KEY'))).toBe(true)
    const { ids, pages } = await walk(env, { ...OWN, ...withStatus('FAILURE') })
    // The numbers 0, 2500 and 5000, newest first.
    expect(ids).toEqual(
      [5000, 2500, 0].map((n) => `00000000-0000-4000-8000-${(n * 2 + 1).toString(16).padStart(12, '0')}`),
    )
    expect(pages).toBe(6000 / MOST_SCANNED + 1)
  })

  it('an order number of other shops finds nothing for a shop, and costs nothing', async () => {
    await fill(3000, 1)
    const stranger = await cost({ pos: 'f'.repeat(32), orderNumber: 'same' })
    expect(stranger).toMatchObject({ found: 0, next: null })
    expect(stranger.read).toBeLessThanOrEqual(2)
  })

  it('jobs of others with the same order number hide none, and make no page longer', async () => {
    await fill(3000, 1)
    const own = row({ created: LATE - 1, pos: 'f'.repeat(32), orderNumber: 'same', status: 'FAILURE' })
    await writeRows(env, [own])
    for (const filter of [{}, withStatus('FAILURE')]) {
      const search = searchOf({ pos: own.pos, orderNumber: 'same', ...filter })
      expect(await findJobs(env, search)).toEqual({ rows: [own], next: null })
    }
  })

  it.each([MOST_SCANNED - 1, MOST_SCANNED, MOST_SCANNED + 1])(
    "with %i jobs of an order number, the next page begins at an own job and never at another shop's",
    async (count) => {
      await env.DB.prepare('delete from jobs').run()
      // The other shop's job comes after all those of the point of sale.
      await env.DB.prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
         insert into jobs ${COLUMNS} select ?2 + 10 + i, printf('00000000-0000-4000-8000-%012x', i), ?3, 'sandbox', 'ideal', i,
           'same', 'EUR', 1250, 0, 'SUCCESS', ?2, null, 1, 'announced' from n`,
      )
        .bind(count, LATE, posAt(0))
        .run()
      await writeRows(env, [row({ created: LATE, pos: 'f'.repeat(32), orderNumber: 'same' })])
      const search = searchOf({ ...OWN, orderNumber: 'same', ...withStatus('FAILURE'), limit: 1 })
      const places: string[] = []
      for (let after: Search['after'] = null; ;) {
        const page: FoundJobs = await findJobs(env, { ...search, after })
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
