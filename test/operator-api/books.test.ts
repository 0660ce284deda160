import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { BooksMonth, DoubleEntry, PayoutLines, PayoutsOfJob } from '../../src/contract/books.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { act, referenceOf } from '../sandbox/client.ts'
import { stored } from '../support/jobs/job.ts'
import { addAccount, notify, posAt, pspWorld } from '../support/psp-world.ts'
import { OTHER, SHOP } from '../support/psps/adyen.ts'

let ids: string[]
const MONTH = new Date().toISOString().slice(0, 7)
beforeAll(async () => {
  const token = await tokenFor(await makePos())
  const jobs = await Promise.all(['10.00', '20.00', '30.00'].map((amount) => createJob(token, { amount })))
  const reference = await referenceOf(jobs[1]?.payUrl ?? '')
  for (const { payUrl } of jobs) await payAs(payUrl, 'paid')
  ids = jobs.map(({ paymentJob }) => paymentJob)
  await operate('POST', `/jobs/${ids[1]}/refunds`, { id: crypto.randomUUID(), amount: '5.00' })
  await act(reference, 'chargeback', { amount: '3.00' })
  const inIndex = () =>
    env.DB.prepare(
      "select count(*) as paid, sum(charged_back) as back from jobs where status = 'SUCCESS' and id in (?, ?, ?)",
    )
      .bind(...ids)
      .first()
  await vi.waitFor(async () => expect(await inIndex()).toEqual({ paid: 3, back: 300 }), {
    timeout: 20_000,
    interval: 100,
  })
})

async function month(name = MONTH, mode = 'live'): Promise<BooksMonth> {
  return answerTo('GET', `/books/months/${name}?mode=${mode}`)
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
  return addAccount(world)
}

describe('the sandbox pays out', () => {
  it('all payments once, with fees, refunds and a correction, explained to the cent', async () => {
    expect(await fetchAll()).toBeGreaterThanOrEqual(6)
    expect(await fetchAll()).toBe(0)
    const { payouts } = await month(MONTH, 'test')
    const lines = await Promise.all(
      payouts.map(async ({ id }) => (await answerTo<PayoutLines>('GET', `/books/payouts/${id}`)).lines),
    )
    const own = lines.flat().filter(({ job }) => job !== null && ids.includes(job))
    expect(own.map(({ kind, gross, finding }) => [kind, gross, finding]).toSorted()).toEqual([
      ['chargeback', '-3.00', null],
      ['payment', '10.00', null],
      ['payment', '20.00', null],
      ['payment', '30.00', null],
      ['refund', '-5.00', null],
    ])
    expect(payouts.every(({ difference, findings }) => difference === '0.00' && findings === 0)).toBe(true)
    const open = await answerTo<{ jobs: { id: string }[] }>('GET', '/books/open?account=sandbox')
    expect(open.jobs.filter(({ id }) => ids.includes(id))).toEqual([])
  })

  it('and the month is double entry that sums to zero', async () => {
    const { journals } = await answerTo<DoubleEntry>('GET', `/books/months/${MONTH}/double-entry?mode=test`)
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

  it('that comes in parts counts once it is whole, and one that comes twice is one payout', async () => {
    const id = await account()
    const whole = payoutOf('po-parts', '2021-03-05', [600, 400])
    const [first, second] = whole.lines
    expect(await (await send(id, { ...whole, lines: [first] })).json()).toMatchObject({ isWhole: false })
    expect((await month('2021-03')).payouts).toEqual([])
    expect(await (await send(id, { ...whole, from: 2, lines: [second] })).json()).toMatchObject({
      isWhole: true,
    })
    expect((await send(id, whole)).status).toBe(200)
    expect((await month('2021-03')).payouts).toMatchObject([
      { lines: 2, explained: '10.00', difference: '0.00' },
    ])
    expect((await send(id, { ...whole, currency: 'USD' })).status).toBe(409)
    expect((await send(id, { ...whole, id: 'po-never', from: 2 })).status).toBe(409)
  })

  it('that comes again with other lines replaces the booked one once it is whole', async () => {
    const id = await account()
    await send(id, payoutOf('po-again', '2021-05-05', [600, 400]))
    const other = { ...payoutOf('po-again', '2021-05-05', [600, 300, 99]), amount: 999 }
    const part = (at: number) => ({ ...other, from: at + 1, lines: [other.lines[at]] })
    for (const at of [0, 0, 1]) await send(id, part(at))
    const booked = async () => (await month('2021-05')).payouts
    expect(await booked()).toMatchObject([{ amount: '10.00', lines: 2 }])
    expect(await (await send(id, part(2))).json()).toMatchObject({ isWhole: true })
    expect(await booked()).toMatchObject([{ id: 'po-again', amount: '9.99', difference: '0.00', lines: 3 }])
  })

  it('of another merchant account replaces nothing', async () => {
    const id = await account()
    const own = { ...payoutOf('batch-7-EUR', '2031-09-05', [1000]), merchant: SHOP.merchantAccount }
    expect((await send(id, own)).status).toBe(200)
    const foreign = await send(id, { ...own, amount: 950, merchant: OTHER.merchantAccount })
    expect(foreign.status).toBe(409)
    expect(await foreign.json()).toMatchObject({
      code: 'payout-conflict',
      detail: expect.stringContaining(OTHER.merchantAccount),
    })
    const shown = await answerTo<PayoutLines>('GET', `/books/payouts/batch-7-EUR?account=${id}`)
    expect(shown).toMatchObject({ payout: { amount: '10.00', lines: 1 } })
    // The files of some PSPs name no merchant account.
    expect((await send('sandbox', own)).status).toBe(409)
  })

  it('is found by an id with characters that a URL encodes', async () => {
    const payout = 'Shop:7'
    await send(await account(), payoutOf(payout, '2021-07-05', [1000]))
    const found = await answerTo<PayoutLines>('GET', `/books/payouts/${encodeURIComponent(payout)}`)
    expect(found).toMatchObject({ payout: { id: payout } })
  })

  it('that was broken off is begun again by another one, and nothing of the two is mixed', async () => {
    const id = await account()
    const broken = payoutOf('po-broken', '2021-06-05', [600, 400])
    await send(id, { ...broken, lines: [broken.lines[0]] })
    await send(id, payoutOf('po-broken', '2021-06-05', [1000]))
    expect((await month('2021-06')).payouts).toMatchObject([{ lines: 1, explained: '10.00' }])
  })

  it('with a payment of another account names the line, and one that is a cent short the difference', async () => {
    const id = await account()
    await send(id, payoutOf('po-short', '2021-04-05', [999]))
    expect((await month('2021-04')).payouts).toMatchObject([{ difference: '0.01', findings: 1 }])
    const { lines } = await answerTo<PayoutLines>('GET', '/books/payouts/po-short?findings=1')
    expect(lines).toMatchObject([{ line: 1, finding: 'unknown', job: null }])
  })

  it('finds a payment by its reference at the PSP, even if the amount is a cent off', async () => {
    const world = pspWorld('mollie')
    const token = await tokenFor(await posAt(world))
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, 'paid')
    await notify(world, job)
    const { account: id, reference } = (await stored(job)).payments[0] ?? { account: '', reference: '' }
    const asked = world.asked.length
    const lines = [reference, 'no-reference-of-mollie'].map((one) => ({
      ...line,
      kind: 'payment',
      job: null,
      reference: one,
      gross: 1249,
    }))
    await send(id, { ...payoutOf('po-cent', '2021-09-05', []), total: 2, lines })
    const { lines: booked } = await answerTo<PayoutLines>('GET', '/books/payouts/po-cent')
    expect(booked.map((one) => [one.job, one.finding])).toEqual([
      [job, 'amount-differs'],
      [null, 'unknown'],
    ])
    expect(world.asked.length).toBe(asked + 1)
  })

  it.each([
    ['payment', 2000],
    ['refund', -500],
    ['chargeback', -300],
  ])('names a %s that is a cent off, and one that comes twice', async (kind, amount) => {
    const booked = async (id: string, amounts: number[]) => {
      const lines = amounts.map((gross) => ({ ...line, kind, job: ids[1] ?? '', gross }))
      const part = { id, currency: 'EUR', amount: 0, paidAt: Date.parse('2021-08-05'), from: 1 }
      await send('sandbox', { ...part, total: lines.length, lines })
      const found = await answerTo<PayoutLines>('GET', `/books/payouts/${id}`)
      return found.lines.map(({ finding }) => finding !== null)
    }
    const paidOut = await answerTo<PayoutsOfJob>('GET', `/jobs/${ids[1]}/payouts`)
    const id = paidOut.lines[0]?.payout ?? ''
    expect(await booked(id, [amount - 1])).toEqual([true])
    expect(await booked(id, [amount + 1])).toEqual([true])
    expect(await booked(id, [amount])).toEqual([false])
    expect(await booked(id, [amount, amount])).toEqual([false, true])
    expect(await booked(`${id}-other`, [amount])).toEqual([true])
  })

  it('of an unexplained month needs a note to close it; what comes later belongs to the next month', async () => {
    const id = await account()
    await send(id, payoutOf('po-close', '2022-12-05', [999]))
    const close = (body: object) => operate('POST', '/books/months/2022-12/close', { mode: 'live', ...body })
    expect(await (await close({})).json()).toMatchObject({ code: 'books-unexplained' })
    expect(await (await close({ note: 'A test payment' })).json()).toMatchObject({
      closed: { note: 'A test payment' },
    })
    await operate('POST', '/books/months/2023-01/close', { mode: 'live' })
    await send(id, payoutOf('po-late', '2022-12-06', [999]))
    expect((await month('2022-12')).payouts.map((one) => one.id)).toEqual(['po-close'])
    expect((await month('2023-02')).payouts).toMatchObject([{ id: 'po-late', corrects: '2022-12' }])
  })

  it('of a closed month changes nothing there: a difference is a correction in the open month', async () => {
    const id = await account()
    const asBooked = payoutOf('po-sealed', '2023-06-05', [600, 400])
    await send(id, asBooked)
    await operate('POST', '/books/months/2023-06/close', { mode: 'live', note: 'Foreign payments' })
    const sealed = () =>
      Promise.all(
        ['/months/2023-06?mode=live', '/months/2023-06/double-entry?mode=live', '/payouts/po-sealed'].map(
          async (path) => (await operate('GET', `/books${path}`)).text(),
        ),
      )
    const before = await sealed()
    await send(id, asBooked)
    expect((await month('2023-07')).payouts).toEqual([])
    // Now a line is a cent less, and there is a new fee and a new chargeback.
    const [first, second] = asBooked.lines
    const late = { ...line, job: null, gross: 0 }
    const changed = {
      ...asBooked,
      amount: 349,
      total: 4,
      lines: [
        first,
        { ...second, gross: 399 },
        { ...late, kind: 'fee', fee: 50 },
        { ...late, kind: 'chargeback', gross: -600, reference: 'cb' },
      ],
    }
    await send(id, changed)
    await send(id, changed)
    expect(await sealed()).toEqual(before)
    expect((await month('2023-07')).payouts).toMatchObject([
      { id: 'po-sealed~2', corrects: '2023-06', amount: '-6.51', difference: '0.00', lines: 3 },
    ])
    const { lines } = await answerTo<PayoutLines>('GET', '/books/payouts/po-sealed~2')
    expect(lines.map(({ kind, gross, fee }) => [kind, gross, fee]).toSorted()).toEqual([
      ['chargeback', '-6.00', '0.00'],
      ['fee', '0.00', '0.50'],
      ['payment', '-0.01', '0.00'],
    ])
    const { journals } = await answerTo<DoubleEntry>('GET', '/books/months/2023-07/double-entry?mode=live')
    expect(journals).toMatchObject([
      { date: '2023-07-01', corrects: '2023-06', payouts: ['po-sealed~2'], postings: expect.any(Array) },
    ])
    await send(id, asBooked)
    expect((await month('2023-07')).payouts).toMatchObject([{}, { id: 'po-sealed~3', amount: '6.51' }])
  })
})

describe('a fetch', () => {
  it('from a place that no fetch returned is refused with the name of the field', async () => {
    const refused = await operate('POST', `/books/accounts/${await account()}/fetch?after=page-2`)
    expect([refused.status, await refused.json()]).toMatchObject([422, { field: 'after' }])
  })
})
