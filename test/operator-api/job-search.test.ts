import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import { createJob, makePos, tokenFor } from '../support/hub.ts'
import { answerTo, operate } from '../support/operator.ts'
import { row } from '../support/shards.ts'

type Page = { jobs: { id: string; posName: string; givenUp: string | null }[]; next: string | null }
function ask(query: Record<string, string>): Promise<Response> {
  return operate('GET', `/jobs?${new URLSearchParams(query)}`)
}
async function idsOf(query: Record<string, string>): Promise<string[]> {
  const page = await (await ask(query)).json<Page>()
  return page.jobs.map(({ id }) => id)
}

/** An hour (µs) that no other file has jobs in. */
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
  undeliveredAt: 1_646_280_000_000,
})

beforeAll(async () => {
  bakery = await nameShop('Bäckerei Nord')
  twins = await Promise.all([nameShop('Twin'), nameShop('Twin')])
  const rows = [bread, cake, yen, late]
  rows.forEach((job) => (job.pos = bakery))
  await writeRows(env, rows)
})

describe('finds jobs by what an operator knows of them', () => {
  it.each<[string, Record<string, string>, () => string[]]>([
    ['the order number', { order_number: 'FIND-1' }, () => [bread.id]],
    ['the order id', { order_id: '7700901' }, () => [cake.id]],
    ["the PSP's reference", { reference: 'tr_bread' }, () => [bread.id]],
    ["the shop's name", { pos: 'Bäckerei Nord' }, () => [bread.id, cake.id, yen.id, late.id]],
    [
      "the shop's name in other capitals",
      { pos: 'bäckerei nord' },
      () => [bread.id, cake.id, yen.id, late.id],
    ],
    ['one status', { ...TIME, status: 'FAILURE' }, () => [cake.id]],
    ['two statuses', { ...TIME, status: 'FAILURE,EXPIRED' }, () => [cake.id, late.id]],
    ['the method', { ...TIME, method: 'card' }, () => [yen.id]],
    ['the account', { ...TIME, account: 'tokyo' }, () => [yen.id]],
    ['the currency', { ...TIME, currency: 'jpy' }, () => [yen.id]],
    ['the amount', { ...TIME, amount: '9.95' }, () => [bread.id]],
    ['the amount, in a currency without decimals', { ...TIME, amount: '5000.00' }, () => [yen.id]],
    [
      'amounts from one to another',
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
  ])('one text that is %s', async (_, q, wanted) => {
    expect(await idsOf({ q })).toEqual(wanted())
  })

  it('a status that is given twice is both', async () => {
    const query = new URLSearchParams({ ...TIME, status: 'FAILURE' })
    query.append('status', 'EXPIRED')
    const page = await answerTo<Page>('GET', `/jobs?${query}`)
    expect(page.jobs.map(({ id }) => id)).toEqual([cake.id, late.id])
    expect(page.jobs.map(({ givenUp }) => givenUp)).toEqual([null, '2022-03-03T04:00:00.000Z'])
  })
})

it('a job that the index does not have yet is found by its id', async () => {
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  const { jobs } = await (await ask({ id: paymentJob.toUpperCase() })).json<Page>()
  expect(jobs).toMatchObject([{ id: paymentJob, posName: 'Shop 1', status: 'PENDING' }])
  expect(await idsOf({ q: paymentJob })).toEqual([paymentJob])
  expect(await idsOf({ id: crypto.randomUUID() })).toEqual([])
})

describe('what cannot be searched for is told', () => {
  it('a name that several shops have is told with their ids', async () => {
    const response = await ask({ pos: 'Twin' })
    expect(response.status).toBe(422)
    const { detail } = await response.json<{ detail: string }>()
    expect(detail).toContain('2 points of sale')
    for (const id of twins) expect(detail).toContain(id)
  })

  it('a mistyped name is told with what may be meant', async () => {
    const { detail } = await (await ask({ pos: 'Bäckerei Nrod' })).json<{ detail: string }>()
    expect(detail).toContain(`Bäckerei Nord (${bakery})`)
  })
})
