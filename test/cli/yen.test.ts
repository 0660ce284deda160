import { expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { JOB, sampleAnswer } from './sample-answers.ts'
import { runHub } from './run-hub.ts'
import { printable } from '../../src/programs/view.ts'
import { headOf } from '../../src/cli/job.ts'
import { rowLine, rowOf } from '../../src/kit/report-rows.ts'
import { viewOf } from '../../src/programs/view.ts'

const { answer } = askedHub()

it('people read yen without decimals, and programs as the API writes them', async () => {
  const [sample] = (sampleAnswer('GET', '/operator/v1/jobs') as { jobs: object[] }).jobs
  const money = {
    amount: '1500.00',
    paid: '1500.00',
    refunded: '20.00',
    chargedBack: '0.00',
    unapplied: '1480.00',
    captureBefore: null,
  }
  const page = { jobs: [{ ...sample, currency: 'JPY', ...money, orderNumber: '12.00' }], next: null }
  answer(page)
  const { out } = await runHub(['job', 'list', '--mode', 'all'])
  expect(out[2]).toMatch(/ 12\.00 .*JPY 1500 +1500 +1480 +20 /)
  answer(page)
  const asJson = await runHub(['job', 'list', '--mode', 'all', '--json'])
  expect(JSON.parse(asJson.out[0] ?? '')).toEqual(page)
})

it.each([
  ['JPY', '1500.00', '1500'],
  ['KRW', '0.00', '0'],
  ['JPY', '-20.00', '-20'],
  ['EUR', '1500.00', '1500.00'],
  ['KWD', '1.500', '1.500'],
  ['CLF', '1.0000', '1.0000'],
  ['XYZ', '1.00', '1.00'],
])('an amount of %s, %s, is %s also in what is within a payment', (currency, amount, shown) => {
  const steps = [{ amountPaid: amount, action: '1.00' }]
  expect(printable({ currency, orderNumber: '1.00', payments: { steps }, total: amount })).toEqual({
    currency,
    orderNumber: '1.00',
    payments: { steps: [{ amountPaid: shown, action: '1.00' }] },
    total: amount,
  })
})

it('questions, payouts and reports have none either', async () => {
  const job = { ...JOB, currency: 'JPY', amountPaid: '1500.00', amountDue: '0.00', amountRefunded: '20.00' }
  expect(headOf(job as never)).toMatch(/JPY 0 due, JPY 1500 paid, JPY 20 refunded/)
  const held = { amountAuthorized: '1500.00', amountReleased: '300.00', capturable: '200.00' }
  expect(headOf({ ...job, ...held, captureBefore: JOB.created })).toMatch(
    /JPY 1500 reserved, JPY 300 released, .*JPY 200 can be captured/,
  )
  const payout = sampleAnswer('GET', '/operator/v1/books/payouts/po_1') as { payout: object; lines: object[] }
  const yen = { currency: 'JPY', amount: '1450.00', explained: '1450.00', difference: '0.00' }
  const line = { ...payout.lines[0], gross: '1500.00', fee: '50.00', net: '1450.00' }
  answer({ ...payout, payout: { ...payout.payout, ...yen }, lines: [line] })
  const { out } = await runHub(['books', 'why', 'po_1'])
  expect(out.join('\n')).toMatch(/^amount +1450$[^]*^explained +1450$[^]* 1500 +50 +1450 /m)
  const told = {
    orderNumber: 'A',
    status: 'SUCCESS',
    currency: 'JPY',
    amountPaid: '1500.00',
    amountRefunded: '20.00',
  }
  const frame = { job: 'j', headers: {}, body: JSON.stringify(told), try: 1 }
  const row = rowOf(frame as never, null, new Date())
  expect(rowLine(row, viewOf(process.stdout, true), 200)).toContain('JPY 1500 -20')
})
