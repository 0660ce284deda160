import type { Search } from '../../src/job-index/search.ts'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobKey } from '../../src/job/core/row.ts'
import {
  type FoundJobs,
  findJobs,
  MOST_SCANNED,
  MOST_SCANNED_OF_EACH,
} from '../../src/job-index/find-jobs.ts'
import { searchCost } from '../support/hub/search-cost.ts'
import { LATE } from '../support/hub/shards.ts'

const JOBS = 100_000
const SHOPS = 20

/**
 * Every fourth job has an order id that is not its order number. A few failed, cost 99.50, or are in yen.
 */
beforeAll(async () => {
  await env.DB.prepare('delete from jobs').run()
  const fill = env.DB.prepare(
    `with recursive n(i) as (select cast(?1 as integer) union all select i + 1 from n where i + 1 < ?2)
     insert into jobs (created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
       updated, sequence, reference, announcement)
     select ?3 + i * 1000000, printf('00000000-0000-4000-8000-%012x', i), printf('pos-%d', i % ${SHOPS}),
       iif(i % 50000 = 3, 'rare', 'sandbox'), iif(i % 2, 'ideal', 'card'), iif(i % 4, 'A-' || i, 'I-' || i), 'A-' || i,
       iif(i = 777, 'JPY', 'EUR'), iif(i % 30000 = 10, 9950, 1250), 0, iif(i % 9973 = 5, 'FAILURE', 'SUCCESS'), ?3 + i, 1,
       iif(i % 10, 'tr_' || i, null), 'announced' from n`,
  )
  for (let first = 0; first < JOBS; first += 25_000) await fill.bind(first, first + 25_000, LATE).run()
}, 60_000)

const EVERYTHING: Search = {
  keys: [],
  pos: null,
  filter: {},
  from: 0,
  to: LATE + JOBS * 1_000_000,
  after: null,
  limit: 20,
}
function numberOf(id: string): number {
  return Number.parseInt(id.slice(24), 16)
}
/** The numbers of the jobs, from 0, with this remainder. */
function every(step: number, rest: number): number[] {
  return Array.from({ length: Math.ceil((JOBS - rest) / step) }, (_, n) => n * step + rest).toReversed()
}

/** Runs a search, and returns the rows that D1 read for it and the plans of its statements. */
async function cost(search: Search) {
  const { found, read, plan } = await searchCost(() => findJobs(env, search))
  return { ...found, numbers: found.rows.map(({ id }) => numberOf(id)), read, plan: plan.join('\n') }
}

const PRIMARY_KEY = 'PRIMARY KEY (pos=? AND created=? AND id=?'
function keyOf(n: number): JobKey {
  return {
    id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
    pos: `pos-${n % SHOPS}`,
    created: LATE + n * 1_000_000,
  }
}

describe('a search by an indexed key reads about as many rows as it finds', () => {
  it.each<[string, Partial<Search>, number[], string]>([
    ['a job', { keys: [{ is: 'job', job: keyOf(77_777) }] }, [77_777], PRIMARY_KEY],
    [
      'a job at its point of sale',
      { keys: [{ is: 'job', job: keyOf(77_777) }], pos: 'pos-17' },
      [77_777],
      PRIMARY_KEY,
    ],
    ['a job of another point of sale', { keys: [{ is: 'job', job: keyOf(77_777) }], pos: 'pos-1' }, [], ''],
    [
      'a job that fails the filter',
      { keys: [{ is: 'job', job: keyOf(77_777) }], filter: { method: 'card' } },
      [],
      PRIMARY_KEY,
    ],
    [
      'an order id',
      { keys: [{ is: 'orderId', text: 'I-444' }] },
      [444],
      'jobs_by_order_id (order_id=? AND pos>?)',
    ],
    [
      'an order id at a point of sale',
      { keys: [{ is: 'orderId', text: 'I-444' }], pos: 'pos-4' },
      [444],
      'jobs_by_order_id (order_id=? AND pos=?',
    ],
    [
      'an order id that equals the order number',
      { keys: [{ is: 'orderId', text: 'A-445' }] },
      [445],
      'jobs_by_order_number',
    ],
    [
      'an order id that is only an order number',
      { keys: [{ is: 'orderId', text: 'A-444' }] },
      [],
      'jobs_by_order_number',
    ],
    ['an order number', { keys: [{ is: 'orderNumber', text: 'A-444' }] }, [444], 'jobs_by_order_number'],
    [
      'any of them',
      {
        keys: [
          ...(['orderNumber', 'orderId'] as const).map((is) => ({ is, text: 'A-445' })),
          { is: 'job', job: keyOf(77_777) },
        ],
      },
      [77_777, 445],
      'jobs_by_order_number',
    ],
  ])('%s', async (_, search, wanted, index) => {
    const found = await cost({ ...EVERYTHING, ...search })
    expect(found.numbers).toEqual(wanted)
    expect(found.next).toBeNull()
    expect(found.read).toBeLessThanOrEqual(50)
    expect(found.plan).toContain(index)
    expect(found.plan).not.toMatch(/SCAN (jobs|newest)(?! USING COVERING)/)
  })
})

describe('a search by a reference that no PSP knows reads each row once', () => {
  const keys = [{ is: 'reference', text: 'tr_77777' }] as const
  it.each<[string, Partial<Search>, number[], number]>([
    ['of all', { keys }, [77_777], JOBS],
    ['at a point of sale', { keys, pos: 'pos-17' }, [77_777], JOBS / SHOPS],
    ['of another', { keys, pos: 'pos-1' }, [], JOBS / SHOPS],
    [
      'at a point of sale, in a span',
      { keys, pos: 'pos-17', from: keyOf(77_000).created, to: keyOf(78_000).created },
      [77_777],
      1000 / SHOPS,
    ],
  ])('%s', async (_, search, wanted, most) => {
    const found = await cost({ ...EVERYTHING, ...search })
    expect(found.numbers).toEqual(wanted)
    expect(found.next).toBeNull()
    expect(found.read).toBeLessThanOrEqual(most + 5)
  })
})

describe('a search without an index looks through a bounded part, and says where it continues', () => {
  const ALL = every(1, 0)
  it.each<[string, Partial<Search>, (n: number) => boolean]>([
    ['failures', { filter: { statuses: ['FAILURE'] } }, (n) => n % 9973 === 5],
    ['an account', { filter: { account: 'rare' } }, (n) => n % 50_000 === 3],
    ['a currency', { filter: { currency: 'JPY' } }, (n) => n === 777],
    [
      'an amount at a point of sale, one per page',
      { filter: { amountFrom: 995_000, amountTo: 995_000 }, pos: 'pos-10', limit: 1 },
      (n) => n % 30_000 === 10,
    ],
    [
      'failures at a point of sale',
      { filter: { statuses: ['FAILURE'] }, pos: 'pos-5' },
      (n) => n % 9973 === 5 && n % SHOPS === 5,
    ],
  ])('%s', async (_, search, isWanted) => {
    const numbers: number[] = []
    const most = search.pos ? MOST_SCANNED : MOST_SCANNED_OF_EACH * SHOPS
    for (let pages = 1, after: Search['after'] = null; ; pages++) {
      // Two pages show the cost of each; the rest show that nothing is left out.
      const page: FoundJobs & { read?: number } =
        pages < 3
          ? await cost({ ...EVERYTHING, ...search, after })
          : await findJobs(env, { ...EVERYTHING, ...search, after })
      if (page.read !== undefined) expect(page.read).toBeLessThanOrEqual(7 * most)
      numbers.push(...page.rows.map(({ id }) => numberOf(id)))
      if (!page.next) break
      expect(page.next).not.toEqual(after)
      expect(pages).toBeLessThan(JOBS / most + 5)
      after = page.next
    }
    expect(numbers).toEqual(ALL.filter(isWanted))
  })

  it.each([0, 1, 10, 19, 20])(
    'a job that is %i jobs after the end of a page is on the next one',
    async (behind) => {
      const rare = 9973 * 5 + 5
      const to = LATE + (rare + MOST_SCANNED_OF_EACH * SHOPS + behind) * 1_000_000
      const search: Search = { ...EVERYTHING, to, filter: { statuses: ['FAILURE'] } }
      const first = await findJobs(env, search)
      const second = await findJobs(env, { ...search, after: first.next })
      expect([...first.rows, ...second.rows].map(({ id }) => numberOf(id))).toEqual([rare])
    },
  )
})
