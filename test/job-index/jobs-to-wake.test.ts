import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { JobKey, JobRow } from '../../src/job/core/row.ts'
import type { Sweep } from '../../src/job-index/sweep-plan.ts'
import { jobsToWake } from '../../src/job-index/sweeps.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { LATE, SHARDED, openShards, row } from '../support/hub/shards.ts'

/** A time (µs) that only these tests use, because other files' rows are in the same databases. */
const FROM = LATE + 40 * 86_400_000_000
const sweep: Sweep = { status: 'PENDING', from: FROM, to: FROM + 1000, changedBefore: null }
const shops = Array.from({ length: 5 }, (_, shop) => `wake${shop}`.padStart(32, '0'))

let open: JobRow[]
let ended: JobRow[]
beforeAll(async () => {
  await openShards()
  open = shops.flatMap((pos, shop) =>
    Array.from({ length: 3 + shop * 4 }, (_, n) => row({ pos, created: FROM + Math.floor(n / 2) })),
  )
  ended = shops.map((pos) => row({ pos, created: FROM + 5, status: 'SUCCESS', updated: FROM + 900 }))
  const outside = shops.flatMap((pos) => [FROM - 1, FROM + 1000].map((created) => row({ pos, created })))
  await writeRows(SHARDED, [...open, ...ended, ...outside])
})

function inOrder(rows: readonly JobRow[]): JobKey[] {
  return rows
    .map(({ pos, created, id }) => ({ pos, created, id }))
    .toSorted(
      (one, other) =>
        (one.pos < other.pos ? -1 : one.pos > other.pos ? 1 : 0) ||
        one.created - other.created ||
        (one.id < other.id ? -1 : 1),
    )
}

async function allPages(of: Sweep, limit: number): Promise<JobKey[]> {
  const seen: JobKey[] = []
  for (;;) {
    const page = await jobsToWake(SHARDED, of, seen.at(-1) ?? null, limit)
    expect(page.length).toBeLessThanOrEqual(limit)
    seen.push(...page)
    if (page.length < limit) return seen
  }
}

describe('the jobs of a sweep', () => {
  it.each([1, 3, 1000])(
    'with a reservation that ended come in pages of %i, whenever they were created',
    async (limit) => {
      const ends = (at: number, pos: string, created = FROM + 5) =>
        row({ pos, created: created + 86_400_000_000, captureBefore: at })
      const from = Date.UTC(2025, 5, limit % 28)
      const due = shops.flatMap((pos) => [ends(from, pos), ends(from + 999, pos, 1_000_000)])
      const others = shops.flatMap((pos) => [ends(from - 1, pos), ends(from + 1000, pos)])
      await writeRows(SHARDED, [...due, ...others])
      const reserved = { from: from * 1000, to: (from + 1000) * 1000, status: null, changedBefore: null }
      expect(await allPages({ ...reserved, of: 'captureBefore' }, limit)).toEqual(inOrder(due))
    },
  )

  it.each([1, 2, 7, 1000])('each come once in pages of %i, over shops and databases', async (limit) => {
    expect(await allPages(sweep, limit)).toEqual(inOrder(open))
  })

  it('are those with its status, or all', async () => {
    expect(await allPages({ ...sweep, status: 'SUCCESS' }, 100)).toEqual(inOrder(ended))
    expect(await allPages({ ...sweep, status: null }, 7)).toEqual(inOrder([...open, ...ended]))
  })

  it('are those that have not changed since', async () => {
    expect(await allPages({ ...sweep, status: null, changedBefore: FROM + 900 }, 100)).toEqual(inOrder(open))
  })
})

it('a page reads the rows of its span after its start, and two or three of each shop', async () => {
  const pos = 'f'.repeat(32)
  const start = FROM + 86_400_000_000
  const many = Array.from({ length: 400 }, (_, n) => row({ pos, created: start + n }))
  const before = Array.from({ length: 300 }, (_, n) => row({ pos, created: start - 1000 + n }))
  await writeRows(env, [...many, ...before])
  const read: number[] = []
  const prepare = env.DB.prepare.bind(env.DB)
  const spy = vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
    const statement = prepare(query)
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => {
      const bound = bind(...values)
      const all = bound.all.bind(bound)
      bound.all = async <T>() => {
        const result = await all<T>()
        if (query.includes('shop')) read.push(result.meta.rows_read)
        return result
      }
      return bound
    }
    return statement
  })
  const window: Sweep = { ...sweep, from: start, to: start + 1000 }
  const first = await jobsToWake(env, window, null, 100)
  const others: JobKey[] = []
  for (let after = first.at(-1); after;) {
    const page = await jobsToWake(env, window, after, 100)
    others.push(...page)
    after = page.at(-1)
  }
  spy.mockRestore()
  expect(first.length + others.length).toBe(400)
  const shopsThere = await env.DB.prepare('select count(distinct pos) as n from jobs').first<number>('n')
  const most = 100 + 3 * (shopsThere ?? 0) + 10
  expect(read).toHaveLength(5)
  for (const rows of read) expect(rows).toBeLessThanOrEqual(most)
})
