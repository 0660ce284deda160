import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { matchLines } from '../../src/books/match-lines.ts'
import { storePart } from '../../src/books/store-part.ts'
import type { LinesOf } from '../../src/books/store.ts'
import type { LineKind, PayoutLine } from '../../src/psp/payouts/payouts.ts'
import { createJob, makePos, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { stored, waitForNextPull } from '../support/jobs/job.ts'
import { answerTo } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt, refund } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import { mollieFake } from '../support/psps/mollie.ts'

const once = `once-${crypto.randomUUID()}`
const thrice = `thrice-${crypto.randomUUID()}`
/** An order number that was ordered twice and paid once. */
const retried = `retried-${crypto.randomUUID()}`
let ids: string[]
beforeAll(async () => {
  const token = await tokenFor(await makePos())
  const orders = [
    [once, '10.00'],
    [thrice, '20.00'],
    [thrice, '20.00'],
    [thrice, '7.00'],
    [retried, '9.00'],
    [retried, '9.00'],
  ] as const
  const jobs = await Promise.all(
    orders.map(([number, amount]) => createJob(token, { order_number: number, amount })),
  )
  for (const { payUrl } of jobs.slice(0, 5)) await payAs(payUrl, 'paid')
  ids = jobs.map(({ paymentJob }) => paymentJob)
  const inIndex = () =>
    env.DB.prepare(
      'select group_concat(status order by status) as all_of from jobs where order_number in (?, ?, ?)',
    )
      .bind(once, thrice, retried)
      .first('all_of')
  const all = ['PENDING', ...Array.from({ length: 5 }, () => 'SUCCESS')].join()
  await vi.waitFor(async () => expect(await inIndex()).toBe(all), { timeout: 20_000, interval: 100 })
})

it.each([
  ['the payment of its amount', once, 'payment', 1000, 0],
  ['the only payment, although its amount differs', once, 'payment', 999, 0],
  ['for a part that goes back', once, 'refund', -300, 0],
  ['none of two payments of the same amount', thrice, 'payment', 2000, null],
  ['none of several payments of other amounts', thrice, 'payment', 1999, null],
  ['the only payment of its amount', thrice, 'payment', 700, 3],
  ['the one that was paid', retried, 'payment', 900, 4],
  ['the one that was paid, for money that goes back', retried, 'refund', -900, 4],
  ['none of several payments that money may go back from', thrice, 'refund', -700, null],
  ['nothing for an unknown order number', 'nobody', 'payment', 700, null],
] as const)('an order number finds %s', async (_, orderNumber, kind, gross, at) => {
  const line = { kind, gross, orderNumber, at: 0, job: null, reference: null, fee: 0, text: '' }
  const [matched] = await matchLines(env, { account: 'sandbox', id: 'po', currency: 'EUR', from: 1 }, [line])
  expect(matched?.job).toBe(at === null ? null : ids[at])
})

/** Books a line of one of the jobs, and returns what the part made of it. */
function lineOf(at: number, kind: 'payment' | 'refund', gross: number): PayoutLine {
  return { kind, gross, at: 0, job: ids[at] ?? null, reference: null, orderNumber: null, fee: 0, text: '' }
}
const payoutAt = (account: string, id: string) => ({ account, id, currency: 'EUR', amount: 0, paidAt: 0 })
async function findingsOf(part: LinesOf, ...lines: PayoutLine[]) {
  return (await matchLines(env, part, lines)).map(({ finding }) => finding)
}

it('a booked line does not explain a second one, but a form that is replaced and other accounts do not count', async () => {
  const payout = payoutAt('sandbox', 'po-forms')
  const part = { ...payout, from: 1, total: 1, lines: [{ ...lineOf(0, 'payment', 1000), finding: null }] }
  expect(await storePart(env.DB, { ...part, account: 'elsewhere', id: 'po-there' })).toBe('whole')
  expect(await findingsOf({ ...payout, from: 1 }, lineOf(0, 'payment', 1000))).toEqual([null])
  expect(await storePart(env.DB, part)).toBe('whole')
  expect(await findingsOf({ ...payout, id: 'po-next', from: 1 }, lineOf(0, 'payment', 1000))).toEqual([
    'amount-differs',
  ])
  // Amounts in another currency cannot be compared.
  const abroad = { ...lineOf(3, 'payment', 700), finding: null }
  await storePart(env.DB, { ...part, id: 'po-dollars', currency: 'USD', lines: [abroad] })
  expect(await findingsOf({ ...payout, id: 'po-euros', from: 1 }, lineOf(3, 'payment', 700))).toEqual([null])
  // The payout comes again with another line before this one.
  expect(await findingsOf({ ...payout, from: 2 }, lineOf(0, 'payment', 1000))).toEqual([null])
})

it('a payment of which only a refund was paid out is still in no payout', async () => {
  const part = { ...payoutAt('sandbox', 'po-back'), from: 1, total: 1 }
  const line = { ...lineOf(1, 'refund', -500), finding: null }
  expect(await storePart(env.DB, { ...part, lines: [line] })).toBe('whole')
  const open = await answerTo<{ jobs: { id: string }[] }>('GET', '/books/open?account=sandbox')
  expect(open.jobs.map(({ id }) => id)).toContain(ids[1])
  const live = await answerTo('GET', '/books/open?mode=live&account=sandbox')
  expect(live).toEqual({ mode: 'live', jobs: [], more: false })
})

it('a reference finds the payment, in the index or at the PSP', async () => {
  const { reference } = (await stored(ids[0] ?? '')).payments[0] ?? { reference: '' }
  const asked: string[] = []
  const jobOf = async (one: string) => {
    asked.push(one)
    return one === 'elsewhere' ? (ids[1] ?? null) : null
  }
  const line = { ...lineOf(0, 'payment', 999), job: null, orderNumber: once }
  const part = { ...payoutAt('sandbox', 'po-reference'), from: 1 }
  const lines = [reference, 'elsewhere', 'nowhere'].map((one) => ({ ...line, reference: one }))
  const matched = await matchLines(env, part, lines, jobOf)
  expect(matched.map(({ job, finding }) => [job, finding])).toEqual([
    [ids[0], 'amount-differs'],
    [ids[1], 'amount-differs'],
    [ids[0], 'amount-differs'],
  ])
  expect(asked).toEqual(['elsewhere', 'nowhere'])
  // Of two payments with the same number and amount, the index names only one.
  const twins = await Promise.all([1, 2].map(async (at) => (await stored(ids[at] ?? '')).payments[0]))
  const same = twins.map((one) => ({
    ...line,
    orderNumber: thrice,
    gross: 2000,
    reference: one?.reference ?? '',
  }))
  expect((await matchLines(env, part, same, jobOf)).map(({ job }) => job)).toEqual([null, null])
})

describe('an order that was paid by a gift card and a card', () => {
  let part: LinesOf
  let lines: { gift: PayoutLine; card: PayoutLine; all: PayoutLine }
  beforeAll(async () => {
    const adyen = Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
    const { paymentJob: job } = await createJob(await tokenFor(await posAt(adyen)))
    const { account } = await stored(job)
    for (const [pspReference, value] of [
      ['GIFT', 400],
      ['CARD', 850],
    ] as const)
      await deliver(account, await adyen.fake.tell(job, { pspReference, amount: { currency: 'EUR', value } }))
    adyen.fake.bring(job, 'paid')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    waitForNextPull()
    await send(`/return/${job}`)
    const line = (gross: number) => ({ ...lineOf(0, 'payment', gross), job })
    lines = { gift: line(400), card: line(850), all: line(1250) }
    part = { ...payoutAt(account, 'po-parts'), from: 1 }
  })
  it.each([
    ['both', ['gift', 'card'], [null, null]],
    ['the card only', ['card'], [null]],
    ['their sum', ['all'], [null]],
    ['the gift card, but not twice', ['gift', 'gift'], [null, 'amount-differs']],
    ['the sum, but no part next to it', ['all', 'card'], ['amount-differs', null]],
  ] as const)('explains %s', async (_, told, findings) => {
    expect(await findingsOf(part, ...told.map((one) => lines[one]))).toEqual(findings)
  })
  it('and explains no part in a second payout', async () => {
    const matched = await matchLines(env, part, [lines.gift])
    await storePart(env.DB, { ...payoutAt(part.account, 'po-parts-1'), from: 1, total: 1, lines: matched })
    const next = { ...part, id: 'po-parts-2' }
    expect(await findingsOf(next, lines.gift, lines.card)).toEqual(['amount-differs', null])
  })
})

describe('at Mollie,', () => {
  async function paidAtMollie() {
    const mollie = Object.assign(outsideWith(mollieFake()), { psp: 'mollie' })
    const token = await tokenFor(await posAt(mollie))
    const { paymentJob: job } = await createJob(token)
    mollie.fake.bring(job, 'paid')
    await notify(mollie, job)
    const { account } = await stored(job)
    const line = (kind: LineKind, gross: number) => ({ ...lineOf(0, 'payment', gross), kind, job })
    return { mollie, token, job, line, part: { ...payoutAt(account, `po-${job}`), from: 1 } }
  }

  it('a payment is in no payout, although its account has never had one', async () => {
    const { job, part } = await paidAtMollie()
    const open = (query = '') =>
      answerTo<{ mode: string; jobs: { id: string }[] }>('GET', `/books/open?${query}`)
    const { mode } = await open(`account=${part.account}`)
    await vi.waitFor(async () =>
      expect((await open(`mode=${mode}`)).jobs).toContainEqual(expect.objectContaining({ id: job })),
    )
    const other = mode === 'live' ? 'test' : 'live'
    expect((await open(`mode=${other}`)).jobs.map(({ id }) => id)).not.toContain(job)
  })

  it('chargebacks that the hub learnt of together explain their lines', async () => {
    const { mollie, job, line, part } = await paidAtMollie()
    mollie.fake.chargeBack(job, 500)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    waitForNextPull()
    await notify(mollie, job)
    const lines = [line('chargeback', -300), line('chargeback', -200)]
    expect(await findingsOf(part, ...lines)).toEqual([null, null])
    const more = await findingsOf(part, ...lines, line('chargeback', -200))
    expect(more).toEqual(lines.map(() => 'amount-differs').concat('amount-differs'))
  })

  it('a chargeback that was reversed has two lines of the same name', async () => {
    const { mollie, job, line, part } = await paidAtMollie()
    for (const amount of [1250, 0]) {
      mollie.fake.chargeBack(job, amount)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      waitForNextPull()
      await notify(mollie, job)
    }
    const lines = [line('payment', 1250), line('chargeback', -1250), line('chargeback', 1250)]
    expect(await findingsOf(part, ...lines)).toEqual([null, null, null])
  })

  it.each([
    [[750], [null]],
    [[1249], ['amount-differs']],
    [
      [750, 750],
      ['amount-differs', 'amount-differs'],
    ],
  ])('of %j, an order of 12.50 that a gift card paid in part explains %j', async (amounts, expected) => {
    const { line, part } = await paidAtMollie()
    expect(await findingsOf(part, ...amounts.map((gross) => line('payment', gross)))).toEqual(expected)
  })

  it('refunds by the shop and by others each explain a line once', async () => {
    const { mollie, token, job, line, part } = await paidAtMollie()
    const { reference } = (await stored(job)).payments[0] ?? { reference: '' }
    for (const value of ['3.00', '2.00'])
      await mollie.fake.handle(
        new Request(`https://api.mollie.com/v2/payments/${reference}/refunds`, {
          method: 'POST',
          headers: { authorization: `Bearer ${(mollie.fake.accounts[0] as { apiKey: string }).apiKey}` },
          body: JSON.stringify({ amount: { currency: 'EUR', value } }),
        }),
      )
    expect((await refund(token, job, '1.00')).code).toBe(201)
    await notify(mollie, job)
    await vi.waitFor(async () => expect((await stored(job)).refunded).toBe(600))
    const lines = [-300, -100, -200].map((gross) => line('refund', gross))
    expect(await findingsOf(part, ...lines)).toEqual([null, null, null])
    expect(await findingsOf(part, ...lines, line('refund', -100))).toEqual([
      null,
      null,
      null,
      'refund-missing',
    ])
  })

  it('a line that names the refund of another payment is not explained by one of its amount', async () => {
    const { mollie, token, job, line, part } = await paidAtMollie()
    const { paymentJob: other } = await createJob(token)
    mollie.fake.bring(other, 'paid')
    await notify(mollie, other)
    for (const one of [job, other]) await refund(token, one, '2.00')
    const [mine, theirs] = await Promise.all(
      [job, other].map(async (one) => (await stored(one)).instructions[0]?.pspId ?? undefined),
    )
    const ofJob = (of: string, transfer = mine) => ({ ...line('refund', -200), job: of, transfer })
    expect(await findingsOf(part, ofJob(job), ofJob(other, theirs))).toEqual([null, null])
    expect(await findingsOf(part, ofJob(job, theirs), ofJob(other, theirs))).toEqual(['refund-missing', null])
  })

  it('a refund that was counted and failed explains only a line that the PSP pays back', async () => {
    const { mollie, token, job, line, part } = await paidAtMollie()
    expect((await refund(token, job, '2.00')).code).toBe(201)
    await vi.waitFor(async () => expect((await stored(job)).refunded).toBe(200))
    mollie.fake.endRefunds(job, 'failed')
    await notify(mollie, job)
    await vi.waitFor(async () => expect((await stored(job)).refunded).toBe(0))
    expect(await findingsOf(part, line('refund', -200))).toEqual(['refund-missing'])
    // A file may call what came back by the name of what went.
    for (const kind of ['reversal', 'refund'] as const)
      expect(await findingsOf(part, line('refund', -200), line(kind, 200))).toEqual([null, null])
  })
})

it('a refund that failed explains no line, unless another one pays it back', async () => {
  const adyen = Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
  const token = await tokenFor(await posAt(adyen))
  const { paymentJob: job } = await createJob(token)
  adyen.fake.bring(job, 'paid')
  await notify(adyen, job)
  expect((await refund(token, job, '2.00')).code).toBe(201)
  const { account } = await stored(job)
  const part = { ...payoutAt(account, 'po-failed'), from: 1 }
  const line = { ...lineOf(0, 'refund', -200), job }
  expect(await findingsOf(part, line)).toEqual([null])
  const failed = await adyen.fake.tellRefund(adyen.fake.refunds()[0]?.pspReference ?? '', {
    success: 'false',
    reason: 'No',
  })
  expect((await deliver(account, failed)).status).toBe(200)
  expect((await stored(job)).instructions).toMatchObject([{ state: 'failed' }])
  expect(await findingsOf(part, line)).toEqual(['refund-missing'])
  const back = { ...line, kind: 'reversal' as const, gross: 200 }
  expect(await findingsOf(part, back)).toEqual(['amount-differs'])
  expect(await findingsOf(part, line, back)).toEqual([null, null])
})
