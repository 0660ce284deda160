import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Figures } from '../../src/contract/job-index.ts'
import type { JobRow } from '../../src/job/core/row.ts'
import { medianOf } from '../../src/operator-api/figures.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { answerTo, operate, operateAt } from '../support/hub/operator.ts'
import { row } from '../support/hub/shards.ts'

/** Two days (µs) in which no other file has jobs. */
const DAY = Date.UTC(2022, 5, 7) * 1000
const HOUR = 3_600_000_000
const TIME = { from: '2022-06-07T00:00:00Z', to: '2022-06-09T00:00:00Z' }

function ask(query: Record<string, string>): Promise<Response> {
  return operate('GET', `/figures?${new URLSearchParams(query)}`)
}
async function figures(query: Record<string, string> = {}): Promise<Figures> {
  return (await ask({ ...TIME, mode: 'test', ...query })).json()
}
function counted({ rows }: Figures) {
  return rows.map(({ key, created, success }) => [key, created, success])
}

let shop: string
let other: string
async function makeShop(name: string, mode: string): Promise<string> {
  return (await answerTo<{ id: string }>('POST', '/pos', { name, mode })).id
}

beforeAll(async () => {
  shop = await makeShop('Figures 1', 'test')
  other = await makeShop('Figures 2', 'test')
  const live = await makeShop('Figures 3', 'live')
  const paid = (changes: Partial<JobRow>, seconds: number) =>
    row({ pos: shop, status: 'SUCCESS', paid: 1250, paidAfter: seconds * 1000, ...changes })
  await writeRows(env, [
    paid({ created: DAY + HOUR, refunded: 500 }, 5),
    paid({ created: DAY + HOUR, chargedBack: 2000 }, 30),
    paid({ created: DAY + 2 * HOUR, paymentMethod: 'card', account: 'gone' }, 7200),
    paid({ created: DAY + 25 * HOUR, pos: other, currency: 'JPY', paid: 500 }, 15),
    row({ created: DAY + HOUR, pos: shop }),
    row({ created: DAY + HOUR, pos: shop, status: 'FAILURE' }),
    row({ created: DAY + HOUR, pos: shop, status: 'CANCELLED' }),
    row({ created: DAY + HOUR, pos: other, status: 'EXPIRED' }),
    row({ created: DAY + HOUR, pos: live, status: 'FAILURE' }),
    paid({ created: DAY + 48 * HOUR }, 5),
  ])
})

it('they have no payments for a span that ends where it begins', async () => {
  const response = await ask({ from: TIME.from, to: TIME.from, mode: 'test' })
  expect(response.status).toBe(200)
  expect((await response.json<Figures>()).rows).toEqual([])
})

it('they show how the payments of a span ended, hour by hour', async () => {
  expect(await figures()).toEqual({
    ...TIME,
    by: 'hour',
    mode: 'test',
    zone: 'UTC',
    rows: [
      {
        key: '2022-06-07T01:00:00Z',
        name: '2022-06-07T01:00:00Z',
        created: 6,
        pending: 1,
        success: 2,
        failure: 1,
        cancelled: 1,
        expired: 1,
        successRate: 0.4,
        medianSeconds: 10,
        paid: [{ currency: 'EUR', amount: '25.00' }],
        refunded: [{ currency: 'EUR', amount: '5.00' }],
        chargedBack: [{ currency: 'EUR', amount: '20.00' }],
        net: [],
      },
      expect.objectContaining({
        key: '2022-06-07T02:00:00Z',
        created: 1,
        successRate: 1,
        medianSeconds: 3600,
      }),
      expect.objectContaining({ key: '2022-06-08T01:00:00Z', paid: [{ currency: 'JPY', amount: '500.00' }] }),
    ],
    total: expect.objectContaining({
      key: 'total',
      created: 8,
      success: 4,
      successRate: 0.5714,
      paid: [
        { currency: 'EUR', amount: '37.50' },
        { currency: 'JPY', amount: '500.00' },
      ],
    }) as unknown,
  })
})

it.each([
  ['day', '2022-06-07', '2022-06-08'],
  ['account', 'sandbox', 'gone'],
  ['psp', 'sandbox', 'gone'],
  ['method', 'ideal', 'card'],
  ['currency', 'EUR', 'JPY'],
])('by the %s', async (by, most, least) => {
  expect(counted(await figures({ by }))).toEqual([
    [most, 7, 3],
    [least, 1, 1],
  ])
})

it('by the shop, with its name', async () => {
  const found = await figures({ by: 'pos' })
  expect(counted(found)).toEqual([
    [shop, 6, 3],
    [other, 2, 1],
  ])
  expect(found.rows.map(({ name }) => name)).toEqual(['Figures 1', 'Figures 2'])
})

it("by the day in the hub's time zone, and for a month in it", async () => {
  const asked = async (query: Record<string, string>) => {
    const path = `/figures?${new URLSearchParams({ mode: 'test', ...query })}`
    return (await operateAt({ TIME_ZONE: 'Asia/Tokyo' }, 'GET', path)).json<Figures>()
  }
  const days = await asked({ ...TIME, by: 'day' })
  expect([days.zone, ...counted(days)]).toEqual(['Asia/Tokyo', ['2022-06-07', 7, 3], ['2022-06-08', 1, 1]])
  const late = await asked({ from: '2022-06-07T15:00:00Z', to: '2022-06-08T03:00:00Z', by: 'day' })
  expect(counted(late)).toEqual([['2022-06-08', 1, 1]])
  expect(await asked({ month: '2022-06', by: 'account' })).toMatchObject({
    from: '2022-05-31T15:00:00Z',
    to: '2022-06-30T15:00:00Z',
  })
})

describe('of a part', () => {
  it.each<[string, Record<string, string>, number]>([
    ['an account', { account: 'gone' }, 1],
    ['a method', { method: 'ideal' }, 7],
    ['a shop by its name', { pos: 'Figures 2' }, 2],
    ['live shops', { mode: 'live' }, 1],
    ['live shops, if there are some', { mode: '' }, 1],
    ['a test shop, although there are live ones', { mode: '', pos: 'Figures 1' }, 6],
    ['the sandbox, although there are live shops', { mode: '', account: 'sandbox' }, 7],
  ])('%s', async (_, { mode, ...query }, created) => {
    const wanted = { ...TIME, ...(mode === '' ? {} : { mode: mode ?? 'test' }), ...query }
    expect((await (await ask(wanted)).json<Figures>()).total.created).toBe(created)
  })
})

it('without a span they cover the last 24 hours, in whole hours', async () => {
  const { from, to } = await (await ask({ mode: 'test' })).json<Figures>()
  expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000)
  expect(Date.parse(to) % 3_600_000).toBe(0)
  expect(Date.parse(to)).toBeGreaterThanOrEqual(Date.now() - 1000)
  const cut = await (
    await ask({ mode: 'test', from: '2022-06-07T01:59:00Z', to: '2022-06-07T01:59:30Z' })
  ).json<Figures>()
  expect([cut.from, cut.to, cut.total.created]).toEqual(['2022-06-07T01:00:00Z', '2022-06-07T02:00:00Z', 6])
})

it('a year is available by the day, but not by the hour', async () => {
  const year = { from: '2021-07-01T00:00:00Z', to: '2022-07-01T00:00:00Z', mode: 'test' }
  expect(await (await ask(year)).json()).toMatchObject({
    detail: expect.stringContaining('by the day') as string,
  })
  expect((await ask({ ...year, by: 'day' })).status).toBe(200)
})

describe('the median', () => {
  it.each<[number[], number | null]>([
    [[0, 0, 0, 0, 0, 0, 0, 0], null],
    [[2, 0, 0, 0, 0, 0, 0, 0], 5],
    [[1, 0, 3, 0, 0, 0, 0, 0], 26.7],
    [[0, 0, 0, 0, 0, 0, 0, 4], 3600],
    [[0, 0, 0, 0, 0, 0, 1, 0], 2100],
  ])('of %j is about %j', (times, median) => {
    expect(medianOf(times)).toBe(median)
  })
})
