import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobRow } from '../../src/job/core/row.ts'
import {
  JOBS_QUERY,
  type FailingJob,
  SHOPS_QUERY,
  failingJobs,
  failingShops,
  waitingJobs,
} from '../../src/job-index/not-well.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { searchCost } from '../support/hub/search-cost.ts'
import { SHARDED, openShards, row } from '../support/hub/shards.ts'

/** A time (ms) that only these tests use, and points of sale in several shards. */
const AT = Date.UTC(2019, 3, 1)
function pos(n: number) {
  return `owed${n}`.padStart(32, '0')
}

const ALL = [0, 1, 2, 3].map(pos)

beforeAll(openShards)

function ofThese<Found extends { pos: string }>(found: readonly Found[]) {
  return found.filter((one) => one.pos.includes('owed'))
}

describe('over shards', () => {
  let rows: JobRow[]
  beforeAll(async () => {
    rows = [0, 1, 2, 3].flatMap((n) => [
      ...Array.from({ length: 5 }, (_, i) => row({ pos: pos(n), failingSince: AT + i * 4 + n })),
      row({ pos: pos(n), failingSince: AT + 90, givenUpAt: AT + 100 }),
      row({ pos: pos(n) }),
      row({ pos: pos(n), failingSince: AT + 500_000 }),
    ])
    await writeRows(SHARDED, rows)
  })

  it('each shop has the sum of its counts in all shards', async () => {
    const counted = { failingBefore: AT + 1000, givenUpAfter: AT }
    const shops = ofThese(await failingShops(SHARDED, ALL, counted))
    const counts = shops.map(({ failing, givenUp, since }) => [failing, givenUp, since])
    expect(counts.toSorted((one, other) => (one[2] ?? 0) - (other[2] ?? 0))).toEqual(
      [0, 1, 2, 3].map((n) => [5, 1, AT + n]),
    )
    const [only, ...others] = await failingShops(SHARDED, [pos(2)], counted)
    expect([only?.pos, only?.failing, others]).toEqual([pos(2), 5, []])
    const later = { ...counted, givenUpAfter: AT + 100 }
    expect(ofThese(await failingShops(SHARDED, [pos(2)], later))[0]?.givenUp).toBe(0)
  })

  it.each([1, 7, 1000])('jobs come oldest first, each once, in pages of %i', async (limit) => {
    const seen: FailingJob[] = []
    for (;;) {
      const after = seen.at(-1) ?? null
      const page = await failingJobs(SHARDED, { of: ALL, failingBefore: AT + 1000, after, limit })
      seen.push(...page)
      if (page.length < limit || (page.at(-1)?.failingSince ?? 0) > AT + 1000) break
    }
    const expected = rows
      .flatMap(({ id, failingSince }) =>
        failingSince === null || failingSince > AT + 1000 ? [] : [{ id, failingSince }],
      )
      .toSorted((one, other) => one.failingSince - other.failingSince)
    const ours = ofThese(seen)
    expect(ours.map(({ failingSince }) => failingSince)).toEqual(
      expected.map(({ failingSince }) => failingSince),
    )
    expect(new Set(ours.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)))
  })

  it('accounts have the waiting jobs of all shards', async () => {
    const account = 'seen-waiting'
    const due = { account, announcement: 'due' } as const
    const waiting = [0, 1, 2, 3].map((n) => row({ ...due, pos: pos(n), created: AT * 1000 + n }))
    const late = [0, 1].map((n) => row({ ...due, pos: pos(n), created: Date.UTC(2020, 5, 1) * 1000 }))
    await writeRows(SHARDED, [...waiting, ...late, row({ ...due, status: 'CANCELLED' }), row({ account })])
    const found = (await waitingJobs(SHARDED)).filter((one) => one.account === account)
    expect(found).toEqual([{ account, waiting: 6, oldest: AT * 1000 }])
  })
})

describe('jobs that are well cost nothing', () => {
  const cost = async (query: string, ...values: unknown[]) => {
    const { meta } = await env.DB.prepare(query)
      .bind(...values)
      .all()
    const plan = await env.DB.prepare(`explain query plan ${query}`)
      .bind(...values)
      .all<{ detail: string }>()
    return { read: meta.rows_read, plan: plan.results.map(({ detail }) => detail).join('\n') }
  }
  const all = async () => [
    await cost(SHOPS_QUERY, JSON.stringify(ALL), Date.now(), 0),
    await cost(SHOPS_QUERY, JSON.stringify([pos(1)]), Date.now(), 0),
    await cost(JOBS_QUERY, JSON.stringify(ALL), Date.now(), 0, 0, '', 50),
    await cost(JOBS_QUERY, JSON.stringify([pos(1)]), Date.now(), 0, 0, '', 50),
    await searchCost(() => waitingJobs(env)),
  ]

  it('each search goes along its partial index, and reads no more when there are more jobs', async () => {
    const few = await all()
    const many = Array.from({ length: 3000 }, (_, n) => row({ pos: pos(n % 7), announcement: 'announced' }))
    await writeRows(env, many)
    expect((await all()).map(({ read }) => read)).toEqual(few.map(({ read }) => read))
    for (const { plan } of few) {
      expect(String(plan)).toMatch(/INDEX jobs_(failing|unannounced)/)
      expect(String(plan)).not.toMatch(/SCAN (jobs|newer|older|first)\b(?! USING)/)
    }
  })
})
