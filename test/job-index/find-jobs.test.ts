import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobRow } from '../../src/job/rules/job-row.ts'
import { type FoundJobs, type Search, findJobs } from '../../src/job-index/find-jobs.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { EARLY, LATE, LATER, SHARDED, brokenDatabase, openShards, posAt, row } from '../support/shards.ts'
import { type Wanted, searchOf } from './search-of.ts'

beforeAll(openShards)
afterEach(() => vi.restoreAllMocks())

describe('over shards', () => {
  let all: JobRow[]
  beforeEach(async () => {
    for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
      await database.prepare('delete from jobs').run()
    }
    // Pairs are of the same microsecond.
    all = Array.from({ length: 24 }, (_, n) =>
      row({
        created: (n < 8 ? EARLY : n < 16 ? LATE : LATER) + Math.floor(n / 2),
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
    expect(await search({ pos, keys: [{ is: 'pos', text: pos }] })).toEqual(sorted(ofPos))
    expect(await search({ pos, keys: [{ is: 'pos', text: posAt(0) }] })).toEqual([])
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
      await search({ from: year, to: Date.UTC(2021, 0) * 1000 }, { ...recent, INDEX_2: brokenDatabase() }),
    ).toHaveLength(8)
    const early = { ...SHARDED, INDEX_1: brokenDatabase(), INDEX_2: brokenDatabase() }
    expect(await search({ to: year }, early)).toHaveLength(8)
    expect(await search({ after: { created: EARLY + 2, id: '' } }, early)).toHaveLength(4)
    await expect(search({}, early)).rejects.toThrow()
  })
})
