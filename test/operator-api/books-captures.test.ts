import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { BooksMonth, DoubleEntry, PayoutLines } from '../../src/contract/books.ts'
import { HOUR } from '../../src/contract/timestamp.ts'
import { PAYOUT_FILES } from '../../src/psp/payouts/payout-files.ts'
import { payoutParts } from '../../src/psp/payouts/payouts.ts'
import { stripePayouts } from '../../src/psp/stripe/payouts.ts'
import { askWith, createJob, makePos, payAs, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { ringFor, stored, waitForNextPull } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { type PspWorld, deliver, notify, posAt, refund } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { stripeFake } from '../support/psps/stripe.ts'

/*
 * A month in which a shop captures reserved money: a part, a part that fails after all, the rest in
 * two more parts, and a refund of a captured part. Each PSP pays that out in its own form.
 */

const MONTH = '2026-09'
const WAIT = { timeout: 20_000, interval: 100 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(console, 'warn').mockReturnValue()
})

/** A shop for which the PSP holds 12.50. */
async function reserved(world: PspWorld) {
  const token = await tokenFor(await posAt(world))
  const { paymentJob: job } = await createJob(token, { payment_method: 'creditcard', capture: 'manual' })
  world.fake.bring(job, 'paid')
  const hear = async () => {
    waitForNextPull()
    await notify(world, job)
  }
  await hear()
  await send(`/return/${job}`)
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', amountAuthorized: '12.50' })
  const capture = async (amount: string, more = {}) => {
    waitForNextPull()
    const made = await askWith(token, 'POST', `/v2/paymentjobs/${job}/captures`, { amount, ...more })
    expect([made.status, await made.text()]).toEqual([201, expect.any(String)])
    await hear()
    return (await stored(job)).instructions.at(-1)?.id ?? ''
  }
  const giveBack = async (amount: string) => expect((await refund(token, job, amount)).code).toBe(201)
  const paid = async () => (await readJob(token, job)).amountPaid
  return { token, job, account: (await stored(job)).account, capture, hear, giveBack, paid }
}

/** Books payouts, and returns the month as the bookkeeper sees it, for this account only. */
async function booked(account: string, parts: readonly object[]) {
  for (const part of parts) {
    const { merchant: _, ...body } = part as { merchant?: string }
    const taken = await operate('POST', `/books/accounts/${account}/payouts`, body)
    expect([taken.status, await taken.text()]).toEqual([200, expect.stringContaining('true')])
  }
  const month = await answerTo<BooksMonth>('GET', `/books/months/${MONTH}`)
  const entry = await answerTo<DoubleEntry>('GET', `/books/months/${MONTH}/double-entry`)
  const own = month.payouts.filter((one) => one.account === account)
  const postings = entry.journals
    .filter((journal) => journal.account === account)
    .flatMap((journal) => journal.postings.map(({ post, amount }) => [post, amount] as const))
  const open = await answerTo<{ jobs: object[] }>('GET', `/books/open?mode=live&account=${account}`)
  return {
    payouts: own.map(({ amount, difference, findings }) => [amount, difference, findings]),
    posts: postings.filter(([post]) => post === 'payments' || post === 'refunds' || post === 'unexplained'),
    open: open.jobs.length,
  }
}

function read(psp: string, text: string) {
  const found = PAYOUT_FILES[psp]?.(text)
  if (!found?.ok) throw new Error(JSON.stringify(found))
  return found.value.flatMap(payoutParts)
}

/** An explained payout, each amount by its own capture. */
const EXPLAINED = {
  payouts: [['10.50', '0.00', 0]],
  posts: [
    ['payments', '-12.50'],
    ['refunds', '2.00'],
  ],
  open: 0,
}

describe('a month with captures, a failed capture and a refund of a captured part', () => {
  it('at Adyen has a Settled record for each capture', async () => {
    const world = Object.assign(outsideWith(adyenFake('several')), { psp: 'adyen' })
    const { token, job, account, hear, giveBack, paid } = await reserved(world)
    // The hub captures once at Adyen. If Adyen's support enabled more captures, the shop makes them there.
    const captureThere = async (value: number) => {
      const made = world.fake.byHand(job, 'captures', value)
      await hear()
      return made.pspReference
    }
    await captureThere(500)
    const failing = await captureThere(400)
    expect(await paid()).toBe('9.00')
    // The first one ended the reservation, as far as the hub knew, so this counts as paid and went back.
    world.fake.failCapture(failing)
    await hear()
    expect(await readJob(token, job)).toMatchObject({ amountPaid: '9.00', amountRefunded: '4.00' })
    await giveBack('2.00')
    await deliver(account, await world.fake.tellRefund(world.fake.refunds()[0]?.pspReference ?? ''))
    await captureThere(450)
    await captureThere(300)
    expect(await paid()).toBe('12.50')
    const row = (type: string, debit: string, credit: string) =>
      `ref,${job},2026-09-20 07:59:59,CET,${type},EUR,${debit},${credit},EUR,${debit},${credit},7`
    const rows = [
      'Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
        'Net Currency,Net Debit (NC),Net Credit (NC),Batch Number',
      row('Settled', '', '5.00'),
      row('Settled', '', '4.50'),
      row('Refunded', '2.00', ''),
      row('Settled', '', '3.00'),
      row('MerchantPayout', '10.50', ''),
    ]
    expect(await booked(account, read('adyen', rows.join('\n')))).toEqual(EXPLAINED)
  })

  it('at MultiSafepay has a row of the order for each captured part', async () => {
    const world = Object.assign(outsideWith(multisafepayFake()), { psp: 'multisafepay' })
    const { job, account, capture, hear, giveBack, paid } = await reserved(world)
    await capture('5.00')
    await capture('4.00')
    expect(await paid()).toBe('9.00')
    const orders = () =>
      world.fake.related(job).flatMap(({ type, order_id: id }) => (type === 'capture' ? (id ?? []) : []))
    world.fake.declineCapture(job, orders().at(-1) ?? '')
    await hear()
    await ringFor(job, HOUR)
    expect(await paid()).toBe('5.00')
    await giveBack('2.00')
    await capture('4.50')
    await capture('3.00')
    expect(await paid()).toBe('12.50')
    const [first, , second, third] = orders()
    const row = (order: string | undefined, cents: number, side: string, type: string) =>
      `2026-09-20 10:00:00,301,${cents},${side},${type},,${order}`
    const rows = [
      'Payout ID,88001,,,,,',
      'Payout currency,EUR,,,,,',
      'Completed date/time,PSP ID,Amount cents,Creditdebit,Payment type,Sub description,Order ID',
      row(first, 500, 'C', 'Visa'),
      row(second, 450, 'C', 'Visa'),
      row(first, 200, 'D', 'Refund'),
      row(third, 300, 'C', 'Visa'),
      row('', 1050, 'D', 'Payout'),
    ]
    expect(await booked(account, read('multisafepay', rows.join('\n')))).toEqual(EXPLAINED)
  })

  it('at Mollie has a record for each capture, or one for all of them', async () => {
    const world = Object.assign(outsideWith(mollieFake()), { psp: 'mollie' })
    const { job, account, capture, hear, giveBack, paid } = await reserved(world)
    await capture('4.00')
    expect(await paid()).toBe('4.00')
    world.fake.endCaptures(job, 'failed')
    await hear()
    await ringFor(job, HOUR)
    expect(await paid()).toBe('0.00')
    await capture('5.00')
    await giveBack('2.00')
    await capture('4.50')
    await capture('3.00')
    const { orderNumber } = (await stored(job)).order
    const row = (id: string, what: string, amount: string) =>
      `2026-09-20 10:12:00,${id},${what}${orderNumber},EUR,${amount},1234567.2609.01`
    const rows = [
      'Date,ID,Description,Settlement currency,Settlement amount,Settlement reference',
      row('cpt_1', 'Order ', '5.00'),
      row('re_1', 'Refund of order ', '-2.00'),
      row('cpt_2', 'Order ', '7.50'),
    ]
    await vi.waitFor(async () => expect(await isIndexed(job, '12.50')).toBe(true), WAIT)
    expect(await booked(account, read('mollie', rows.join('\n')))).toEqual(EXPLAINED)
  })

  it('at Stripe has a charge of all that was reserved, and a line for what was not captured', async () => {
    const world = Object.assign(outsideWith(stripeFake()), { psp: 'stripe' })
    const { job, account, capture, giveBack } = await reserved(world)
    await capture('5.00')
    await giveBack('2.00')
    const source = { object: 'charge', metadata: { payment_job: job }, payment_intent: 'pi_1' }
    const line = (id: string, reporting_category: string, amount: number) => {
      const told = { object: 'balance_transaction', type: reporting_category, fee: 0, currency: 'eur' }
      return { ...told, id, amount, reporting_category, created: 1_789_000_000, source }
    }
    const { lines } = stripePayouts(async () => {
      const data = [
        line('txn_1', 'charge', 1250),
        line('txn_2', 'partial_capture_reversal', -750),
        line('txn_3', 'refund', -200),
      ]
      return { is: 'answered', status: 200, body: { data, has_more: false } }
    })
    const payout = { id: 'po_1', currency: 'EUR', amount: 300, paidAt: Date.UTC(2026, 8, 20) }
    const page = await lines({ ...payout, key: 'po_1' }, null)
    if (!page.ok) throw new Error(JSON.stringify(page))
    expect(await booked(account, payoutParts({ ...payout, lines: page.value.lines }))).toEqual({
      payouts: [['3.00', '0.00', 0]],
      posts: [
        ['payments', '-5.00'],
        ['refunds', '2.00'],
      ],
      open: 0,
    })
  })
})

it('the sandbox pays out each part once, after it was captured', async () => {
  const token = await tokenFor(await makePos())
  const { paymentJob: job, payUrl } = await createJob(token, {
    ...{ payment_method: 'creditcard', capture: 'manual', currency: 'NOK' },
  })
  await payAs(payUrl, 'paid')
  const paidOut: string[][] = []
  for (const [amount, paid] of [
    ['5.00', '5.00'],
    ['7.50', '12.50'],
  ] as const) {
    expect((await askWith(token, 'POST', `/v2/paymentjobs/${job}/captures`, { amount })).status).toBe(201)
    await vi.waitFor(async () => expect(await isIndexed(job, paid)).toBe(true), WAIT)
    for (let next: string | null = ''; next !== null;) {
      const after = next ? `?after=${next}` : ''
      const fetched = await operate('POST', `/books/accounts/sandbox/fetch${after}`)
      next = (await fetched.json<{ next: string | null }>()).next
    }
    const month = new Date().toISOString().slice(0, 7)
    const { payouts } = await answerTo<BooksMonth>('GET', `/books/months/${month}?mode=test`)
    const own = payouts.filter(({ currency }) => currency === 'NOK')
    const lines = await Promise.all(
      own.map(async ({ id }) => (await answerTo<PayoutLines>('GET', `/books/payouts/${id}`)).lines),
    )
    const payments = lines.flat().filter(({ kind }) => kind === 'payment')
    paidOut.push(payments.map(({ gross, finding }) => `${gross} ${finding}`))
  }
  expect(paidOut).toEqual([['5.00 null'], ['5.00 null', '7.50 null']])
})

/** Returns whether the index has a job with this amount paid. */
async function isIndexed(job: string, paid: string): Promise<boolean> {
  const { jobs } = await answerTo<{ jobs: { id: string; paid: string }[] }>('GET', '/jobs?mode=all&limit=200')
  return jobs.some((one) => one.id === job && one.paid === paid)
}
