import type { Search } from '../../src/job-index/search.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type FoundJobs, findJobs } from '../../src/job-index/find-jobs.ts'
import { jobsByTime } from '../../src/job-index/job-index.ts'
import { jobsToWake } from '../../src/job-index/sweeps.ts'
import { searchCost } from '../support/hub/search-cost.ts'
import { LATE, openShards } from '../support/hub/shards.ts'
import { COLUMNS, type Wanted, searchOf } from './search-of.ts'

beforeAll(openShards)

describe('however many jobs there are', () => {
  /** Makes `count` jobs at 20 points of sale, five of which have the order number `same`. */
  const fill = async (count: number): Promise<void> => {
    await env.DB.prepare('delete from jobs').run()
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
       insert into jobs ${COLUMNS} select ?2 + i * 1000000, printf('%032x', i), printf('pos-%d', i % 20), 'sandbox', 'ideal', i,
         iif(i % (?1 / 5) = 0, 'same', printf('A-%d', i)), 'EUR', 1250, 0, 'PENDING', ?2 + i, null, 1, 'announced' from n`,
    )
      .bind(count, LATE)
      .run()
  }

  /** Runs a search, and again as SQL that shows its plan. */
  const cost = async (changes: Wanted) => {
    const { found, read, plan, asked } = await searchCost(() =>
      findJobs(env, searchOf({ limit: 20, ...changes })),
    )
    expect(asked).toBe(1)
    return { found: found.rows.length, read, plan }
  }

  it.each<[string, Wanted, number, string]>([
    ['of a point of sale', { pos: 'pos-7' }, 20, 'USING PRIMARY KEY'],
    [
      'at a point of sale, in a span',
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
  ])('a search %s is one range of an index, and reads no more than that', async (_, search, found, index) => {
    await fill(1000)
    const few = await cost(search)
    await fill(5000)
    const many = await cost(search)
    expect(many).toEqual(few)
    expect(many.found).toBe(found)
    expect(many.plan[0]).toContain(index)
    expect(many.read).toBeLessThanOrEqual(2 * found + 2)
  })

  it.each<[string, Wanted, number]>([
    ['at all points of sale', {}, 12],
    ['of one', { pos: 'pos-7' }, 2],
  ])('a search %s for reservations that end soon reads only those', async (_, search, found) => {
    // Every fourth job has reserved money, and twelve of these reservations end soon.
    const among = async (count: number) => {
      await fill(count)
      await env.DB.prepare('update jobs set capture_before = order_id + 0 < ? where order_id % 4 = 3')
        .bind(count - 48)
        .run()
      return cost({ ...search, filter: { reservedUntil: 1 } })
    }
    const [few, many] = [await among(1000), await among(5000)]
    expect(many).toEqual(few)
    expect(many.found).toBe(found)
    expect(many.plan.join()).toContain('USING INDEX jobs_reserved (capture_before<?)')
    expect(many.read).toBeLessThanOrEqual(5 * 12)
  })

  it.each<[string, () => Promise<unknown[]>]>([
    [
      'warn of',
      () => {
        const among = Array.from({ length: 20 }, (__, shop) => `pos-${shop}`)
        return jobsByTime(env, 'captureBefore', { from: 0, to: 0, limit: 50, among })
      },
    ],
    [
      'wake',
      () =>
        jobsToWake(
          env,
          { status: null, from: 0, to: 1000, changedBefore: null, of: 'captureBefore' },
          null,
          50,
        ),
    ],
  ])('the reservations to %s are a range of their index, among many that do not end', async (_, find) => {
    await fill(5000)
    await env.DB.prepare('update jobs set capture_before = order_id + 0 < 4900 where order_id % 4 = 3').run()
    const { found, read, plan } = await searchCost(find)
    expect(found).toHaveLength(25)
    expect(plan.join()).toMatch(
      /USING (COVERING )?INDEX jobs_reserved \(capture_before>\? AND capture_before<\?\)/,
    )
    expect(read).toBeLessThanOrEqual(5 * 25)
  })

  it.each<[string, Wanted]>([
    ['without other bounds', {}],
    ['between two moments', { from: LATE + 1_000_000, to: LATE + 900_000_000 }],
    ['of a page far down', { after: { created: LATE + 800_000_000, id: '' } }],
  ])('a search by time %s reads the same number of rows of each point of sale', async (_, search) => {
    await fill(1000)
    const few = await cost(search)
    await fill(5000)
    const many = await cost(search)
    expect([few.found, many.found]).toEqual([20, 20])
    expect(many.read).toBeLessThanOrEqual(few.read * 1.1)
    expect(many.read).toBeLessThanOrEqual(20 * 7 * 20)
  })

  /** Makes jobs with one order number, 25 at each of 40 points of sale, among `others`. */
  const share = async (others: number): Promise<void> => {
    await fill(others)
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
       insert into jobs ${COLUMNS} select ?1 + i, printf('00000000-0000-4000-8000-%012x', i), printf('shop-%d', i % 40), 'sandbox',
         'ideal', i, 'shared', 'EUR', 1250, 0, 'PENDING', ?1 + i, null, 1, 'announced' from n`,
    )
      .bind(LATE)
      .run()
  }

  it.each<[string, Wanted, number, number]>([
    ['that only one point of sale has', { orderNumber: 'same' }, 5, 8 * 5],
    ['that no point of sale has', { orderNumber: 'none' }, 0, 8],
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
    await share(5000)
    const many = await cost(search)
    expect(many).toEqual(few)
    expect(many.found).toBe(found)
    expect(many.read).toBeLessThanOrEqual(most)
    expect(many.plan.join()).toContain('jobs_by_order_number (order_number=? AND pos>?)')
    expect(many.plan.join()).not.toMatch(/SCAN jobs|SCAN newest/)
  })

  it('jobs with one order number at many points of sale come newest first, page by page', async () => {
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
