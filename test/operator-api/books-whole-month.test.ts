import { beforeAll, expect, it, vi } from 'vitest'
import type { BooksMonth, DoubleEntry } from '../../src/contract/books.ts'
import { PAYOUT_FILES } from '../../src/psp/payouts/payout-files.ts'
import { payoutParts } from '../../src/psp/payouts/payouts.ts'
import { doubleEntryText, readCodes } from '../../src/cli/double-entry.ts'
import { createJob, send, tokenFor } from '../support/hub/hub.ts'
import { stored, waitForNextPull } from '../support/jobs/job.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, posAt, refund } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'

/*
 * A month of a shop at Adyen: a gift card and a card for one order, a refund, currencies with three
 * decimals and with none, and an order in a currency other than the payout's. The report has the
 * time of Hong Kong, where the month ends eight hours earlier.
 */

const HEAD =
  'Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
  'Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Batch Number'
const MONTH = '2026-09'
const NEXT = '2026-10'

let account: string
let jobs: Record<'parts' | 'refunded' | 'dinar' | 'yen' | 'dollar', string>
beforeAll(async () => {
  const adyen = Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
  const token = await tokenFor(await posAt(adyen))
  const orders = [
    ['12.50', 'EUR'],
    ['20.00', 'EUR'],
    ['10.125', 'KWD'],
    ['1500', 'JPY'],
    ['10.00', 'USD'],
  ] as const
  const made = await Promise.all(
    orders.map(async ([amount, currency]) => (await createJob(token, { amount, currency })).paymentJob),
  )
  const [parts = '', refunded = '', dinar = '', yen = '', dollar = ''] = made
  jobs = { parts, refunded, dinar, yen, dollar }
  account = (await stored(parts)).account
  for (const [pspReference, value] of [
    ['GIFT', 400],
    ['CARD', 850],
  ] as const)
    await deliver(account, await adyen.fake.tell(parts, { pspReference, amount: { currency: 'EUR', value } }))
  adyen.fake.bring(parts, 'paid')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  waitForNextPull()
  await send(`/return/${parts}`)
  for (const job of made.slice(1)) {
    adyen.fake.bring(job, 'paid')
    await notify(adyen, job)
  }
  expect((await refund(token, refunded, '5.00')).code).toBe(201)
})

function row(type: string, job: string, gross: string, net: string, fee: string, batch = 7) {
  const [currency = '', amount = ''] = gross.split(' ')
  const [netCurrency = '', sum = ''] = net.split(' ')
  const sides = (value: string) => (value.startsWith('-') ? [value.slice(1), ''] : ['', value]).join(',')
  // In Hong Kong it is October already.
  return `ref,${job},2026-10-01 07:59:59,HKT,${type},${currency},${sides(amount)},${netCurrency},${sides(sum)},${fee},${batch}`
}
/** The report. The fee of the second order may differ. */
function report(fee = '0.30') {
  const net = (20 - Number(fee)).toFixed(2)
  const paidOut = (4 + 8.3 + Number(net) - 5 + 9.02 - 0.5).toFixed(2)
  return [
    HEAD,
    row('Settled', jobs.parts, 'EUR 4.00', 'EUR 4.00', ''),
    row('Settled', jobs.parts, 'EUR 8.50', 'EUR 8.30', '0.20'),
    row('Settled', jobs.refunded, 'EUR 20.00', `EUR ${net}`, fee),
    row('Refunded', jobs.refunded, 'EUR -5.00', 'EUR -5.00', ''),
    row('Settled', jobs.dollar, 'USD 10.00', 'EUR 9.02', '0.20'),
    row('Fee', '', 'EUR ', 'EUR -0.50', ''),
    row('MerchantPayout', '', 'EUR ', `EUR -${paidOut}`, ''),
    row('Settled', jobs.dinar, 'KWD 10.125', 'KWD 9.625', '0.500', 8),
    row('MerchantPayout', '', 'KWD ', 'KWD -9.625', '', 8),
    row('Settled', jobs.yen, 'JPY 1500', 'JPY 1400', '100', 9),
    row('MerchantPayout', '', 'JPY ', 'JPY -1400', '', 9),
  ].join('\n')
}
async function importReport(text: string) {
  const read = PAYOUT_FILES['adyen']?.(text)
  if (!read?.ok) throw new Error(JSON.stringify(read))
  for (const part of read.value.flatMap(payoutParts)) {
    const { merchant: _merchant, ...body } = part as typeof part & { merchant?: string }
    expect((await operate('POST', `/books/accounts/${account}/payouts`, body)).status).toBe(200)
  }
}
function shown(month: string): Promise<BooksMonth> {
  return answerTo('GET', `/books/months/${month}`)
}
async function payoutsIn(month: string) {
  return (await shown(month)).payouts.map(({ id, explained, difference, findings, corrects }) =>
    [id, explained, difference, findings, corrects].join(' '),
  )
}
async function change(does: 'close' | 'reopen', month: string) {
  return (await operate('POST', `/books/months/${month}/${does}`, {})).status
}
/** The export as hledger reads it, and the sum of each journal in hundredths. */
async function exported(month: string) {
  const entry = await answerTo<DoubleEntry>('GET', `/books/months/${month}/double-entry`)
  const sums = entry.journals.map(({ postings }) =>
    postings.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1000), 0),
  )
  return { sums, text: doubleEntryText(entry, 'hledger', readCodes('', 'hledger')) }
}

it('is booked, explained to the cent, closed, exported, corrected and reopened', async () => {
  await importReport(report())
  const booked = ['batch-7-EUR 35.52 0.00 0 ', 'batch-8-KWD 9.625 0.000 0 ', 'batch-9-JPY 1400.00 0.00 0 ']
  expect(await payoutsIn(MONTH)).toEqual(booked)
  expect(await change('close', MONTH)).toBe(200)
  const sealed = await exported(MONTH)
  expect(sealed.sums).toEqual([0, 0, 0])
  expect(sealed.text).toMatch(/^decimal-mark \.\n\n2026-09-30 \* \S+ batch-7-EUR\n/)
  expect(sealed.text).not.toContain('Unexplained')

  // Adyen corrects the fee of a payment.
  await importReport(report('0.35'))
  expect(await exported(MONTH)).toEqual(sealed)
  const correction = ['batch-7-EUR~2 -0.05 0.00 0 2026-09']
  expect(await payoutsIn(NEXT)).toEqual(correction)
  expect((await exported(NEXT)).sums).toEqual([0])

  expect(await change('reopen', MONTH)).toBe(200)
  expect(await payoutsIn(NEXT)).toEqual([])
  expect(await payoutsIn(MONTH)).toEqual([booked[0], 'batch-7-EUR~2 -0.05 0.00 0 ', ...booked.slice(1)])
  const both = await exported(MONTH)
  expect(both.sums).toEqual([0, 0, 0])
  expect(both.text).toContain('batch-7-EUR batch-7-EUR~2')

  await importReport(report('0.35'))
  expect(await payoutsIn(MONTH)).toEqual(['batch-7-EUR 35.47 0.00 0 ', ...booked.slice(1)])
  expect(await change('close', MONTH)).toBe(200)
  expect((await exported(MONTH)).sums).toEqual([0, 0, 0])
})
