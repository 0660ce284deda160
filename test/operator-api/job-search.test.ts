import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OperatorJobList } from '../../src/contract/job-search.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { posAt, row } from '../support/hub/shards.ts'

function ask(query: Record<string, string>): Promise<Response> {
  return operate('GET', `/jobs?${new URLSearchParams(query)}`)
}
async function page(query: Record<string, string>): Promise<OperatorJobList> {
  return (await ask(query)).json()
}
async function idsOf(query: Record<string, string>): Promise<string[]> {
  return (await page(query)).jobs.map(({ id }) => id)
}

/** An hour (µs) in which no other file has jobs. */
const HOUR = Date.UTC(2022, 2, 3, 4) * 1000
const TIME = { from: '2022-03-03T04:00:00Z', to: '2022-03-03T05:00:00Z' }

async function nameShop(name: string): Promise<string> {
  const { id } = await answerTo<{ id: string }>('POST', '/pos', { name })
  return id
}

let bakery: string
let twins: string[]
const bread = row({
  created: HOUR + 4,
  orderNumber: 'FIND-1',
  orderId: '7700900',
  reference: 'tr_bread',
  amount: 995,
})
const cake = row({
  created: HOUR + 3,
  orderNumber: 'FIND-2',
  orderId: '7700901',
  reference: 'tr_cake',
  status: 'FAILURE',
})
const yen = row({
  created: HOUR + 2,
  orderNumber: 'FIND-3',
  currency: 'JPY',
  amount: 5000,
  account: 'tokyo',
  paymentMethod: 'card',
})
const late = row({
  created: HOUR + 1,
  orderNumber: 'FIND-4',
  status: 'EXPIRED',
  givenUpAt: 1_646_280_000_000,
})

beforeAll(async () => {
  bakery = await nameShop('Bäckerei Nord')
  twins = await Promise.all([nameShop('Twin'), nameShop('Twin')])
  const rows = [bread, cake, yen, late]
  rows.forEach((job) => (job.pos = bakery))
  await writeRows(env, rows)
})

describe('an operator finds jobs by', () => {
  it.each<[string, Record<string, string>, () => string[]]>([
    ['the order number', { order_number: 'FIND-1' }, () => [bread.id]],
    ['the order id', { order_id: '7700901' }, () => [cake.id]],
    ["the PSP's reference", { reference: 'tr_bread' }, () => [bread.id]],
    ["the shop's name", { pos: 'Bäckerei Nord' }, () => [bread.id, cake.id, yen.id, late.id]],
    ["the shop's name in another case", { pos: 'bäckerei nord' }, () => [bread.id, cake.id, yen.id, late.id]],
    ['one status', { ...TIME, status: 'FAILURE' }, () => [cake.id]],
    ['two statuses', { ...TIME, status: 'FAILURE,EXPIRED' }, () => [cake.id, late.id]],
    ['the method', { ...TIME, method: 'card' }, () => [yen.id]],
    ['the account', { ...TIME, account: 'tokyo' }, () => [yen.id]],
    ['the currency', { ...TIME, currency: 'jpy' }, () => [yen.id]],
    ['the amount', { ...TIME, amount: '9.95' }, () => [bread.id]],
    ['the amount, in a currency without decimals', { ...TIME, amount: '5000.00' }, () => [yen.id]],
    [
      'a range of amounts',
      { ...TIME, amount_from: '9.95', amount_to: '12.50' },
      () => [bread.id, cake.id, late.id],
    ],
    ['a shop and a status', { pos: 'Bäckerei Nord', status: 'EXPIRED' }, () => [late.id]],
  ])('%s', async (_, query, wanted) => {
    expect(await idsOf(query)).toEqual(wanted())
  })

  it.each<[string, string, () => string[]]>([
    ['an order number', 'FIND-1', () => [bread.id]],
    ['an order id, with spaces around', ' 7700901 ', () => [cake.id]],
    ['a reference', 'tr_cake', () => [cake.id]],
    ['a shop', 'BÄCKEREI NORD', () => [bread.id, cake.id, yen.id, late.id]],
    ['nothing', 'no such thing', () => []],
  ])('any text that is %s', async (_, q, wanted) => {
    expect(await idsOf({ q })).toEqual(wanted())
  })

  it('a repeated status means both', async () => {
    const query = new URLSearchParams({ ...TIME, status: 'FAILURE' })
    query.append('status', 'EXPIRED')
    const { jobs } = await answerTo<OperatorJobList>('GET', `/jobs?${query}`)
    expect(jobs.map(({ id }) => id)).toEqual([cake.id, late.id])
    expect(jobs.map(({ givenUp }) => givenUp)).toEqual([null, '2022-03-03T04:00:00.000Z'])
  })
})

it.each([
  ['another case', 'find-1', [0]],
  ['a beginning', 'FIND-', [0, 1, 2, 3]],
  ['a beginning in another case', 'find', [0, 1, 2, 3]],
  ['an amount with its sign', '€ 9,95', [0]],
  ['an amount with its currency', 'EUR 9.95', [0]],
  ['a bare amount', '9,95', [0]],
  ['an amount of another currency', '9.95 USD', []],
  ['too short a beginning', 'FI', []],
])('a text that is no exact name finds by %s', async (_, q, found) => {
  const all = [bread, cake, yen, late]
  expect(await idsOf({ q, ...TIME })).toEqual(found.map((at) => all[at]?.id))
})

it('a pay link finds its job, and so do other addresses of it', async () => {
  const { paymentJob, payUrl } = await createJob(await tokenFor(await makePos()))
  for (const q of [payUrl, `https://hub.test/console/payments/${paymentJob}?at=1`])
    expect((await page({ q })).jobs).toMatchObject([{ id: paymentJob }])
})

it('a job that the index does not have yet is found by its id', async () => {
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  const { jobs } = await (await ask({ id: paymentJob.toUpperCase() })).json<OperatorJobList>()
  expect(jobs).toMatchObject([{ id: paymentJob, posName: 'Shop 1', status: 'PENDING' }])
  expect(await idsOf({ q: paymentJob })).toEqual([paymentJob])
  expect(await idsOf({ id: crypto.randomUUID() })).toEqual([])
})

describe('an unclear search is refused', () => {
  it('a name of several shops, with their ids', async () => {
    const response = await ask({ pos: 'Twin' })
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: string }>()
    expect(detail).toContain('2 points of sale')
    for (const id of twins) expect(detail).toContain(id)
  })

  it('a mistyped name, with a suggestion', async () => {
    const { detail } = await (await ask({ pos: 'Bäckerei Nrod' })).json<{ detail: string }>()
    expect(detail).toContain(`Bäckerei Nord (${bakery})`)
  })
})

/** A minute (µs) in which no other file has jobs. */
const MINUTE = Date.UTC(2023, 4, 6, 12) * 1000

const ids = Array.from({ length: 60 }, () => crypto.randomUUID())
beforeAll(() =>
  writeRows(
    env,
    ids.map((id, n) => row({ id, created: MINUTE + n * 1_000_000, pos: posAt(n % 2 === 0 ? 0 : 1) })),
  ),
)

it('a job is found by its order number, as the API shows it', async () => {
  const pos = await makePos()
  const { paymentJob, created, lastUpdate } = await createJob(await tokenFor(pos), {
    order_number: 'B 1/ü',
    amount: '7.5',
  })
  await expect
    .poll(async () => (await page({ order_number: 'B 1/ü' })).jobs, { timeout: 15_000 })
    .toEqual([
      {
        id: paymentJob,
        created,
        pos: pos.id,
        posName: 'Shop 1',
        account: 'sandbox',
        reference: expect.any(String) as string,
        paymentMethod: 'ideal',
        orderId: '7',
        orderNumber: 'B 1/ü',
        currency: 'EUR',
        amount: '7.50',
        mode: 'test',
        paid: '0.00',
        paidAt: null,
        refunded: '0.00',
        chargedBack: '0.00',
        net: '0.00',
        status: 'PENDING',
        updated: lastUpdate,
        owedSince: null,
        givenUp: null,
        unapplied: '0.00',
        alsoPaidBy: null,
        authorized: '0.00',
        released: '0.00',
        captureBefore: null,
        terminal: null,
        tip: '0.00',
      },
    ])
  expect((await page({ pos: pos.id })).jobs.map(({ id }) => id)).toEqual([paymentJob])
  expect((await page({ order_number: 'B 1/ü', pos: posAt(0) })).jobs).toEqual([])
})

it('jobs of live shops, of test shops, and with a failing report can be listed separately', async () => {
  const [live, test] = [
    await answerTo<{ id: string }>('POST', '/pos', { name: 'Listed live', mode: 'live' }),
    await makePos(),
  ]
  const created = Date.UTC(2023, 4, 7) * 1000
  const rows = [
    row({ created, pos: live.id, failingSince: 1, refunded: 100 }),
    row({ created, pos: test.id, chargedBack: 100 }),
  ]
  await writeRows(env, rows)
  const day = { from: '2023-05-07T00:00:00Z', to: '2023-05-07T01:00:00Z' }
  const found = async (query: Record<string, string>) =>
    (await page({ ...day, ...query })).jobs.map(({ id }) => id)
  expect(await found({ mode: 'live' })).toEqual([rows[0]?.id])
  expect(await found({ mode: 'test' })).toEqual([rows[1]?.id])
  for (const both of [{}, { mode: 'all' }])
    expect((await found(both)).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  expect(await found({ failing: '1' })).toEqual([rows[0]?.id])
  expect(await found({ mode: 'test', pos: live.id })).toEqual([])
  expect(await found({ refunded: '1' })).toEqual([rows[0]?.id])
  expect(await found({ charged_back: '1' })).toEqual([rows[1]?.id])
  expect((await page({ month: '2023-05', mode: 'live', failing: '1' })).jobs.map(({ id }) => id)).toEqual([
    rows[0]?.id,
  ])
})

it('the jobs of a span come newest first, without those at its end', async () => {
  const { jobs, next } = await page({ from: '2023-05-06T12:00:05Z', to: '2023-05-06T12:00:08.000Z' })
  expect(jobs.map(({ id }) => id)).toEqual([ids[7], ids[6], ids[5]])
  expect(next).toBeNull()
})

it('pages continue after the position of the last job', async () => {
  const time = { from: '2023-05-06T12:00:00Z', to: '2023-05-06T12:01:00Z' }
  const first = await page(time)
  expect(first.jobs).toHaveLength(50)
  const last = first.jobs.at(-1)
  expect(first.next).toBe(`${last?.created}-${last?.id}`)
  const second = await page({ ...time, after: String(first.next), limit: '10' })
  expect(second.next).toBeNull()
  expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids.toReversed())
})

it.each([
  { order_number: '\u0000', limit: '1' },
  { order_number: "' or 1=1 --" },
  { from: '9999-12-31T23:59:59Z' },
  { to: '0001-01-01T00:00:00Z' },
  { from: '2020-07-01T00:00:00Z', to: '2020-06-01T00:00:00Z' },
])('finds nothing: %j', async (query) => {
  expect(await page(query as Record<string, string>)).toEqual({ jobs: [], next: null })
})
