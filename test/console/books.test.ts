import { describe, expect, it } from 'vitest'
import type { BooksMonth } from '../../src/contract/books.ts'
import { answerTo } from './answers/world.ts'
import { get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const NOW = Date.parse('2026-02-10T12:00:00Z')
const MONTH: BooksMonth = {
  month: '2026-01',
  mode: 'live',
  over: '2026-02-01T00:00:00.000Z',
  closed: null,
  laterClosed: null,
  payouts: [],
}
const CLOSED = { at: '2026-02-02T00:00:00.000Z', by: 'me', note: '' }

async function monthPage(month: Partial<BooksMonth>, query = '') {
  const api = operatorApiDouble({
    now: NOW,
    answers: { 'GET /books/months/2026-01': { ...MONTH, ...month } },
  })
  return (await get(`/console/books?month=2026-01${query}`, api)).text()
}

describe('a month of the books', () => {
  it.each<[string, Partial<BooksMonth>, does: string | null]>([
    ['is closed once it is over', {}, 'close'],
    ['that is not over is not closed', { over: '2099-01-01T00:00:00.000Z' }, null],
    ['that is closed is reopened', { closed: CLOSED }, 'reopen'],
    ['before another one that is closed is not', { closed: CLOSED, laterClosed: '2026-02' }, null],
  ])('%s', async (_, month, does) => {
    const html = await monthPage(month)
    const links = [...html.matchAll(/\/console\/books\/2026-01\/(close|reopen)Month\?mode=live"/g)]
    expect(links.map(([, name]) => name)).toEqual(does === null ? [] : [does])
    expect(html.includes('2099-01-01T00:00:00.000Z')).toBe(month.over !== undefined)
  })

  it('of test mode is marked, and live books lead to it', async () => {
    const live = await monthPage({})
    expect(live).toContain('/console/books?month=2026-01&amp;mode=test')
    expect(live).not.toContain('class="mark"')
    expect(await monthPage({ mode: 'test' }, '&mode=test')).toContain('class="mark"')
  })

  it.each(['close', 'reopen'])('%s keeps the mode of the page', async (does) => {
    const path = `/console/books/2026-01/${does}Month`
    const answers = { [`POST /books/months/2026-01/${does}`]: { ...MONTH, mode: 'test' } }
    const api = operatorApiDouble({ answers })
    const form = await (await get(`${path}?mode=test`, api)).text()
    const [, mode = ''] = /<select name="mode">[^]*?value="(\w+)" selected/.exec(form) ?? []
    const made = await post(path, api, { mode })
    expect(JSON.parse(api.asked.find(({ method }) => method === 'POST')?.body ?? '')).toEqual({
      mode: 'test',
    })
    expect(made.headers.get('location')).toMatch(/\?month=2026-01&mode=test&done=/)
  })
})

it('payments that are in no payout yet have a page, which the months lead to', async () => {
  expect(await monthPage({})).toContain('href="/console/books/open?mode=live"')
  const job = { id: 'job-1', orderNumber: 'A-<1>', account: 'mollie-nl', currency: 'EUR', paid: '33.88' }
  const jobs = [{ ...job, created: '2026-01-05T10:00:00.000Z', status: 'SUCCESS', unapplied: '0.00' }]
  const api = operatorApiDouble({ answers: { 'GET /books/open': { mode: 'live', jobs, more: true } } })
  const html = await (await get('/console/books/open?mode=live', api)).text()
  for (const part of ['href="/console/payments/job-1"', 'A-&lt;1>', 'mollie-nl', '33.88', 'There are more'])
    expect(html).toContain(part)
})

describe('a payout', () => {
  const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
  async function payoutPage(findings: number) {
    const answer = answerTo('GET /books/payouts/po_1', {
      payout: { currency: 'EUR', difference: '0.00', findings },
      lines: [{ job: JOB, finding: findings === 0 ? null : 'amount-differs' }],
    })
    const api = operatorApiDouble({ answers: { 'GET /books/payouts/po_1': answer } })
    return (await get('/console/books/po_1?account=stripe-eu', api)).text()
  }

  it('is marked as good only if each line is explained', async () => {
    expect(await payoutPage(0)).toContain('class="pill good"')
    expect(await payoutPage(1)).not.toContain('class="pill good"')
    expect(await payoutPage(1)).toContain('1 not explained')
  })

  it('leads to the payment of a line that differs', async () => {
    expect(await payoutPage(1)).toContain(`href="/console/payments/${JOB}"`)
  })
})
