import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BooksMonth, DoubleEntry, PayoutLines } from '../../src/contract/books.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub.ts'
import { answerTo, operate } from '../support/operator.ts'
import { addAccount, pspWorld } from '../support/psp-world.ts'

let ids: string[]
const MONTH = new Date().toISOString().slice(0, 7)
beforeAll(async () => {
  const token = await tokenFor(await makePos())
  const jobs = await Promise.all(['10.00', '20.00', '30.00'].map((amount) => createJob(token, { amount })))
  for (const { payUrl } of jobs) await payAs(payUrl, 'paid')
  ids = jobs.map(({ paymentJob }) => paymentJob)
  await operate('POST', `/jobs/${ids[1]}/refunds`, { id: crypto.randomUUID(), amount: '5.00' })
  const inIndex = () =>
    env.DB.prepare("select count(*) as n from jobs where status = 'SUCCESS' and id in (?, ?, ?)")
      .bind(...ids)
      .first('n')
  await vi.waitFor(async () => expect(await inIndex()).toBe(3), { timeout: 20_000, interval: 100 })
})

async function month(name = MONTH): Promise<BooksMonth> {
  return answerTo('GET', `/books/months/${name}`)
}
async function fetchAll(): Promise<number> {
  let lines = 0
  for (let next: string | null = ''; next !== null;) {
    const page = await operate('POST', `/books/accounts/sandbox/fetch${next ? `?after=${next}` : ''}`)
    const fetched = await page.json<{ lines: number; next: string | null }>()
    lines += fetched.lines
    next = fetched.next
  }
  return lines
}

function account(): Promise<string> {
  const world = pspWorld('adyen')
  onTestFinished(world.stop)
  return addAccount(world)
}

describe('the sandbox pays out', () => {
  it('all that was paid, once, with fees, refunds and a correction, explained to the cent', async () => {
    expect(await fetchAll()).toBeGreaterThanOrEqual(6)
    expect(await fetchAll()).toBe(0)
    const { payouts } = await month()
    const lines = await Promise.all(
      payouts.map(async ({ id }) => (await answerTo<PayoutLines>('GET', `/books/payouts/${id}`)).lines),
    )
    const own = lines.flat().filter(({ job }) => job !== null && ids.includes(job))
    expect(own.map(({ kind, gross, finding }) => [kind, gross, finding]).toSorted()).toEqual([
      ['payment', '10.00', null],
      ['payment', '20.00', null],
      ['payment', '30.00', null],
      ['refund', '-5.00', null],
    ])
    expect(payouts.every(({ difference, findings }) => difference === '0.00' && findings === 0)).toBe(true)
    const open = await answerTo<{ jobs: { id: string }[] }>('GET', '/books/open?account=sandbox')
    expect(open.jobs.filter(({ id }) => ids.includes(id))).toEqual([])
  })

  it('and the month is double entry that comes to zero', async () => {
    const { journals } = await answerTo<DoubleEntry>('GET', `/books/months/${MONTH}/double-entry`)
    expect(journals.length).toBeGreaterThan(0)
    for (const { postings } of journals)
      expect(postings.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)).toBe(0)
  })
})

describe('a file', () => {
  const line = { at: 0, reference: null, orderNumber: null, fee: 0, text: '' }
  const payoutOf = (id: string, paidAt: string, amounts: number[]) => ({
    id,
    currency: 'EUR',
    amount: 1000,
    paidAt: Date.parse(paidAt),
    from: 1,
    total: amounts.length,
    lines: amounts.map((gross, at) => ({ ...line, kind: 'payment', job: ids[at] ?? null, gross })),
  })
  const send = (id: string, body: object) => operate('POST', `/books/accounts/${id}/payouts`, body)

  it('that comes in parts counts once it is whole, and twice is one payout', async () => {
    const id = await account()
    const whole = payoutOf('po-parts', '2031-03-05', [600, 400])
    const [first, second] = whole.lines
    expect(await (await send(id, { ...whole, lines: [first] })).json()).toMatchObject({ isWhole: false })
    expect((await month('2031-03')).payouts).toEqual([])
    expect(await (await send(id, { ...whole, from: 2, lines: [second] })).json()).toMatchObject({
      isWhole: true,
    })
    expect((await send(id, whole)).status).toBe(200)
    expect((await month('2031-03')).payouts).toMatchObject([
      { lines: 2, explained: '10.00', difference: '0.00' },
    ])
    expect((await send(id, { ...whole, amount: 1001 })).status).toBe(409)
  })

  it('with a payment of another account names the line, and one that is a cent short the difference', async () => {
    const id = await account()
    await send(id, payoutOf('po-short', '2031-04-05', [999]))
    expect((await month('2031-04')).payouts).toMatchObject([{ difference: '0.01', findings: 1 }])
    const { lines } = await answerTo<PayoutLines>('GET', '/books/payouts/po-short?findings=1')
    expect(lines).toMatchObject([{ line: 1, finding: 'unknown', job: null }])
  })

  it('of a month that is not explained is closed with a note alone; what comes later is in the next', async () => {
    const id = await account()
    await send(id, payoutOf('po-close', '2032-12-05', [999]))
    const close = (body: object) => operate('POST', '/books/months/2032-12/close', body)
    expect(await (await close({})).json()).toMatchObject({ code: 'books-unexplained' })
    expect(await (await close({ note: 'A test payment' })).json()).toMatchObject({
      closed: { note: 'A test payment' },
    })
    await send(id, payoutOf('po-late', '2032-12-06', [999]))
    expect((await month('2032-12')).payouts.map((one) => one.id)).toEqual(['po-close'])
    expect((await month('2033-01')).payouts.map((one) => one.id)).toEqual(['po-late'])
  })
})
