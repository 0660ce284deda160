import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { writeRows } from '../../src/job-index/job-index.ts'
import type { MoneyMoved } from '../../src/contract/job-export.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { operate, operateAt } from '../support/hub/operator.ts'
import { EARLY, LATE, LATER, SHARDED, openShards, posAt, row } from '../support/hub/shards.ts'

/** An hour (µs) in which no other file has jobs. */
const HOUR = Date.UTC(2022, 3, 3, 4) * 1000
const TIME = 'from=2022-04-03T04:00:00Z&to=2022-04-03T05:00:00Z'
const PAGE = 1000

function read(query: string): Promise<Response> {
  return operate('GET', `/jobs/export?${query}`)
}

/** An export has only rows of points of sale in the registry. */
beforeAll(async () => {
  const ids = [0, 1].flatMap((which) =>
    ['0', 'e', 'f'].map((first) => posAt(which as 0 | 1).replace(/^0|^1/, first)),
  )
  for (const id of new Set([posAt(0), posAt(1), ...ids]))
    await env.DB.prepare(
      `insert or ignore into points_of_sale (id, name, mode, sign_return, signing_version, created_at)
       values (?1, ?1, 'live', 0, 1, 0)`,
    )
      .bind(id)
      .run()
})

it('a CSV file has the columns of the list, and no formulas', async () => {
  const id = crypto.randomUUID()
  const [pos] = [posAt(0)]
  await writeRows(env, [
    row({
      id,
      created: HOUR,
      pos,
      orderNumber: '=cmd|"x"',
      reference: 'tr_1',
      status: 'SUCCESS',
      paid: 1250,
      paidAfter: 5000,
      refunded: 500,
      chargedBack: 750,
      failingSince: 1_646_280_000_000,
      authorized: 1250,
      released: 250,
      captureBefore: Date.UTC(2022, 3, 10, 4),
      terminal: 'term_1',
      tip: 100,
    }),
  ])
  const response = await read(`${TIME}&format=csv`)
  expect(response.headers.get('content-type')).toContain('text/csv')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="payment-jobs.csv"')
  expect((await response.text()).split('\r\n')).toEqual([
    'id,created,pos,posName,mode,account,reference,paymentMethod,orderId,orderNumber,currency,amount,paid,paidAt,refunded,chargedBack,net,status,updated,owedSince,givenUp,unapplied,alsoPaidBy,authorized,released,captureBefore,terminal,tip',
    `${id},2022-04-03T04:00:00.000000Z,"${pos}","${pos}",live,sandbox,tr_1,ideal,7,"'=cmd|""x""",EUR,12.50,12.50,2022-04-03T04:00:05.000Z,5.00,7.50,0.00,SUCCESS,2020-06-01T00:00:00.000001Z,2022-03-03T04:00:00.000Z,,0.00,,12.50,2.50,2022-04-10T04:00:00.000Z,term_1,1.00`,
    '',
  ])
})

it('a CSV file with semicolons begins with a byte order mark and has decimal commas only in amounts', async () => {
  const created = HOUR + 30_000_000
  const money = { amount: 123456, paid: 123456, refunded: 500, chargedBack: 750, orderNumber: '12.50' }
  await writeRows(env, [row({ created, pos: posAt(0), status: 'SUCCESS', ...money })])
  const time = 'from=2022-04-03T04:00:30Z&to=2022-04-03T04:00:31Z'
  const bytes = await (await read(`${time}&format=csv&separator=semicolon`)).bytes()
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [head = '', line = ''] = new TextDecoder().decode(bytes).split('\r\n')
  const names = head.split(';')
  const cells = new Map(line.split(';').map((cell, at) => [names[at], cell]))
  expect(names.slice(0, 5)).toEqual(['id', 'created', 'pos', 'posName', 'mode'])
  const amounts = [...cells].filter(([, cell]) => /^-?\d+,\d\d$/.test(cell)).map(([name]) => name)
  expect(amounts.join(' ')).toBe('amount paid refunded chargedBack net unapplied authorized released tip')
  expect([cells.get('orderNumber'), cells.get('amount'), cells.get('net')]).toEqual([
    '"12.50"',
    '1234,56',
    '1222,06',
  ])
  expect(names.filter((name) => /^-?\d+\.\d\d$/.test(cells.get(name) ?? ''))).toEqual([])
})

it('a file mixes test payments with live ones only on request', async () => {
  const [live, test] = [posAt(0), (await makePos()).id]
  const rows = [live, test].map((pos) =>
    row({ created: HOUR + 60_000_000, pos, account: `at-${pos}`, orderNumber: `of-${pos}` }),
  )
  await writeRows(env, rows)
  const modes = async (more: string) =>
    (await (await read(`format=ndjson&from=2022-04-03T04:01:00Z&to=2022-04-03T04:01:01Z${more}`)).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { mode: string }).mode)
  expect(await modes('')).toEqual(['live'])
  expect(await modes('&mode=test')).toEqual(['test'])
  for (const named of [`pos=${test}`, `account=at-${test}`, `order_number=of-${test}`])
    expect(await modes(`&${named}`)).toEqual(['test'])
  expect((await modes('&mode=all')).toSorted()).toEqual(['live', 'test'])
})

it.each([
  ['jobs/export?format=csv', 'live'],
  ['movements/export?format=csv', 'live'],
  ['jobs/export?format=ndjson&mode=test', 'test'],
  ['movements/export?format=ndjson&mode=all', null],
  ['movements/export?format=ndjson&account=at-none', null],
])('a header of %s says that all rows are in mode %s', async (path, mode) => {
  const response = await operate('GET', `/${path}&from=2022-04-03T04:01:00Z&to=2022-04-03T04:01:01Z`)
  expect(response.headers.get('export-mode')).toBe(mode)
  await response.text()
})

it('a job that is searched by its id is not in a file of the other mode', async () => {
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  const ids = async (more: string) =>
    (await (await read(`format=ndjson&q=${paymentJob}${more}`)).text()).split('\n').filter(Boolean).length
  expect([await ids(''), await ids('&mode=test'), await ids('&mode=live')]).toEqual([1, 1, 0])
})

describe('movements of money', () => {
  const moved = async (query: string) =>
    (await (await operate('GET', `/movements/export?format=ndjson&${query}`)).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as MoneyMoved)

  it('have a line each: what was paid and what went back, by their own time, month by month', async () => {
    const pos = posAt(1)
    const movement = (at: string, is: string, amount: number) => ({
      at: Date.parse(at),
      is,
      account: 'shop-mollie',
      reference: 'tr_7',
      amount,
    })
    const created = Date.UTC(2022, 8, 30, 20) * 1000
    const movements = [
      movement('2022-09-30T20:01:00Z', 'payment', 1250),
      movement('2022-09-30T22:30:00Z', 'refund', -500),
      movement('2022-10-02T08:00:00Z', 'reversal', 500),
      movement('2022-11-02T08:00:00Z', 'chargeback', -1250),
    ]
    const updated = Date.UTC(2022, 10, 2, 8) * 1000
    await writeRows(env, [row({ created, pos, updated, movements: JSON.stringify(movements) })])
    const amounts = async (query: string) => (await moved(query)).map(({ is, amount }) => [is, amount])
    expect(await amounts(`pos=${pos}&month=2022-09`)).toEqual([
      ['payment', '12.50'],
      ['refund', '-5.00'],
    ])
    expect(await amounts(`mode=live&pos=${pos}&month=2022-10`)).toEqual([['reversal', '5.00']])
    expect(await amounts(`mode=live&month=2022-11`)).toEqual([['chargeback', '-12.50']])
    expect(await amounts(`mode=test&month=2022-11`)).toEqual([])
    expect(await amounts(`mode=live&month=2022-11&account=another`)).toEqual([])
    expect(await moved(`pos=${pos}&month=2022-10`)).toMatchObject([
      {
        at: '2022-10-02T08:00:00.000Z',
        account: 'shop-mollie',
        reference: 'tr_7',
        currency: 'EUR',
        mode: 'live',
      },
    ])
  })

  it('are those of a payment and its refund, as its journal has them', async () => {
    const pos = await makePos()
    const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
    await payAs(payUrl, 'paid')
    const refund = { id: crypto.randomUUID(), amount: '5.00' }
    expect((await operate('POST', `/jobs/${paymentJob}/refunds`, refund)).status).toBe(200)
    await expect
      .poll(async () => (await moved(`pos=${pos.id}`)).map(({ is, amount }) => [is, amount]), {
        timeout: 15_000,
      })
      .toEqual([
        ['payment', '12.50'],
        ['refund', '-5.00'],
      ])
  })
})

it('a search that finds nothing exports an empty file', async () => {
  const none = 'from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z'
  expect((await (await read(`${none}&format=csv`)).text()).split('\r\n')).toHaveLength(2)
  expect(await (await read(`${none}&format=ndjson`)).text()).toBe('')
})

it('a job is exported by its id even before the index has it', async () => {
  const { paymentJob } = await createJob(await tokenFor(await makePos()))
  const lines = (await (await read(`format=ndjson&id=${paymentJob}`)).text()).split('\n')
  expect(lines).toHaveLength(2)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: paymentJob, posName: 'Shop 1' })
})

describe('over shards', () => {
  beforeAll(async () => {
    await openShards()
    for (const database of [env.DB, env.INDEX_1, env.INDEX_2]) {
      await database.prepare('delete from jobs').run()
      await database
        .prepare(
          `with recursive n(i) as (select 0 union all select i + 1 from n where i < 2499)
           insert into jobs (created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
             updated, sequence, announcement)
           select ?1 + i, printf('%08x-0000-4000-8000-%012x', ?2, i), iif(i % 3, ?3, ?4), 'sandbox', 'ideal', i, 'X-' || i, 'EUR',
             1250, 0, iif(i % 500, 'SUCCESS', 'FAILURE'), ?1, 1, 'announced' from n`,
        )
        .bind(
          database === env.DB ? EARLY : database === env.INDEX_1 ? LATE : LATER,
          [env.DB, env.INDEX_1, env.INDEX_2].indexOf(database),
          posAt(database === env.INDEX_2 ? 1 : 0),
          database === env.INDEX_2 ? posAt(1).replace(/^0/, 'e') : posAt(0).replace(/^0/, 'f'),
        )
        .run()
    }
  })

  const exported = async (query: string) => {
    const response = await operateAt(SHARDED, 'GET', `/jobs/export?format=ndjson&mode=live&${query}`)
    const lines = (await response.text()).split('\n').slice(0, -1)
    return lines.map((line) => (JSON.parse(line) as { id: string }).id)
  }

  it.each([
    ['', 7500],
    ['status=FAILURE', 15],
    ['status=EXPIRED&status=FAILURE', 15],
    [`to=${new Date(EARLY / 1000 + 1).toISOString()}`, 1000],
    [`from=${new Date(LATE / 1000 + 1).toISOString()}`, 4000],
    [`pos=${posAt(0)}`, 3332],
    [`pos=${posAt(0)}&status=SUCCESS`, 3326],
    ['order_number=X-7', 3],
  ])('each job of "%s" is exported once', async (query, count) => {
    const ids = await exported(query)
    expect(ids).toHaveLength(count)
    expect(new Set(ids).size).toBe(count)
  })

  it('a page is read when the client has taken the previous one, and each row about three times', async () => {
    const { prepare } = env.DB
    let pages = 0
    let query = ''
    let values: unknown[] = []
    vi.spyOn(env.DB, 'prepare').mockImplementation((text) => {
      const statement = prepare.call(env.DB, text)
      const { bind } = statement
      if (!text.startsWith('select') || !text.includes('shop(pos)')) return statement
      statement.bind = (...given) => {
        pages++
        ;[query, values] = [text, given]
        return bind.apply(statement, given)
      }
      return statement
    })
    const time = 'to=2020-01-01T00:00:00Z'
    const response = await operateAt(SHARDED, 'GET', `/jobs/export?format=ndjson&mode=live&${time}`)
    expect(pages).toBe(1)
    const reader = response.body?.getReader()
    await reader?.read()
    expect(pages).toBe(1)
    await reader?.read()
    expect(pages).toBe(2)
    await reader?.cancel()
    vi.restoreAllMocks()
    const { meta } = await env.DB.prepare(query)
      .bind(...values)
      .all()
    // The hub also looks at each point of sale, and other files create some.
    const shops = Number(await env.DB.prepare('select count(*) as count from points_of_sale').first('count'))
    expect(meta.rows_read).toBeLessThanOrEqual(5 * PAGE + shops)
  })

  it('a fault on the way breaks the file off, so that it never looks whole', async () => {
    const { prepare } = env.DB
    vi.spyOn(env.DB, 'prepare').mockImplementation((text) => {
      if (text.includes('shop(pos)')) throw new Error('D1 is down')
      return prepare.call(env.DB, text)
    })
    await expect(exported('')).rejects.toThrow('D1 is down')
  })
})
