import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { matchLines } from '../../src/books/match-lines.ts'
import { storePart } from '../../src/books/store-part.ts'
import type { LinesOf } from '../../src/books/store.ts'
import type { PayoutLine } from '../../src/psp/payouts.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { answerTo } from '../support/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt, refund } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'

const once = `once-${crypto.randomUUID()}`
const thrice = `thrice-${crypto.randomUUID()}`
let ids: string[]
beforeAll(async () => {
  const token = await tokenFor(await makePos())
  const orders = [
    [once, '10.00'],
    [thrice, '20.00'],
    [thrice, '20.00'],
    [thrice, '7.00'],
  ] as const
  const jobs = await Promise.all(
    orders.map(([number, amount]) => createJob(token, { order_number: number, amount })),
  )
  for (const { payUrl } of jobs) await payAs(payUrl, 'paid')
  ids = jobs.map(({ paymentJob }) => paymentJob)
  const inIndex = () =>
    env.DB.prepare("select count(*) as n from jobs where status = 'SUCCESS' and order_number in (?, ?)")
      .bind(once, thrice)
      .first('n')
  await vi.waitFor(async () => expect(await inIndex()).toBe(4), { timeout: 20_000, interval: 100 })
})

it.each([
  ['the payment of its amount', once, 'payment', 1000, 0],
  ['no payment of another amount', once, 'payment', 900, null],
  ['a part that goes back', once, 'refund', -300, 0],
  ['none of two payments of the same amount', thrice, 'payment', 2000, null],
  ['the one payment of its amount', thrice, 'payment', 700, 3],
  ['none of several payments that money may go back of', thrice, 'refund', -700, null],
  ['no payment of a number that no order has', 'nobody', 'payment', 700, null],
] as const)('an order number finds %s', async (_, orderNumber, kind, gross, at) => {
  const line = { kind, gross, orderNumber, at: 0, job: null, reference: null, fee: 0, text: '' }
  const [matched] = await matchLines(env, { account: 'sandbox', id: 'po', currency: 'EUR', from: 1 }, [line])
  expect(matched?.job).toBe(at === null ? null : ids[at])
})

/** A line of one of the jobs, and what becomes of a part that has it. */
function lineOf(at: number, kind: 'payment' | 'refund', gross: number): PayoutLine {
  return { kind, gross, at: 0, job: ids[at] ?? null, reference: null, orderNumber: null, fee: 0, text: '' }
}
const payoutAt = (account: string, id: string) => ({ account, id, currency: 'EUR', amount: 0, paidAt: 0 })
async function findingsOf(part: LinesOf, ...lines: PayoutLine[]) {
  return (await matchLines(env, part, lines)).map(({ finding }) => finding)
}

it('a line that is booked already explains no second one, but neither the form that a part replaces nor another account counts', async () => {
  const payout = payoutAt('sandbox', 'po-forms')
  const part = { ...payout, from: 1, total: 1, lines: [{ ...lineOf(0, 'payment', 1000), finding: null }] }
  expect(await storePart(env.DB, { ...part, account: 'elsewhere', id: 'po-there' })).toBe('whole')
  expect(await findingsOf({ ...payout, from: 1 }, lineOf(0, 'payment', 1000))).toEqual([null])
  expect(await storePart(env.DB, part)).toBe('whole')
  expect(await findingsOf({ ...payout, id: 'po-next', from: 1 }, lineOf(0, 'payment', 1000))).toEqual([
    'amount-differs',
  ])
  // The payout comes again with another line before this one.
  expect(await findingsOf({ ...payout, from: 2 }, lineOf(0, 'payment', 1000))).toEqual([null])
})

it('a payment of which only a refund was paid out is still in no payout', async () => {
  const part = { ...payoutAt('sandbox', 'po-back'), from: 1, total: 1 }
  const line = { ...lineOf(1, 'refund', -500), finding: null }
  expect(await storePart(env.DB, { ...part, lines: [line] })).toBe('whole')
  const open = await answerTo<{ jobs: { id: string }[] }>('GET', '/books/open?account=sandbox')
  expect(open.jobs.map(({ id }) => id)).toContain(ids[1])
})

it('a refund that failed explains no line', async () => {
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
  expect((await stored(job)).refunds).toMatchObject([{ state: 'failed' }])
  expect(await findingsOf(part, line)).toEqual(['refund-missing'])
})
