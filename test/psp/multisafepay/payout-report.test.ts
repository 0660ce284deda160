import { expect, it } from 'vitest'
import { readPayoutReport } from '../../../src/psp/multisafepay/payout-report.ts'

const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
/** With the headers and columns of https://docs.multisafepay.com/docs/reports#payout-report. */
const REPORT = `Report created;2026-10-05 07:00:00;
Merchant ID;1001001 A shop;
Payout ID;88001;
Logic;05:29;
Date from;2026-10-01;
Date till;2026-10-04;
Payout currency;EUR;
;;
Created date;Completed date/time;Mt status;Mt order status;PSP ID;Amount;Amount cents;Creditdebit;N code;Payment type;Mt description;Sub description;Sub status;Sub ID;Ms description;Order ID;Var1;Var2;Var3
2026-10-01 09:00:00;2026-10-01 10:00:00;completed;completed;301;100,00;10000;C;N;iDEAL;Cost of a book;;;;site;${JOB};x;;
2026-10-01 09:00:00;2026-10-01 10:00:00;completed;completed;301;0,35;35;D;N;Fee;A-1;iDEAL fee;;;site;${JOB};;;
2026-10-02 09:00:00;2026-10-02 10:00:00;completed;completed;302;20,00;2000;D;N;Refund;A-1;;;;site;${JOB};;;
2026-10-03 09:00:00;2026-10-03 10:00:00;completed;completed;303;12,00;1200;D;N;Chargeback;A-1;;;;site;${JOB};;;
2026-10-04 09:00:00;;completed;completed;304;68,00;6565;D;N;Payout;;;;;site;;;;
`

it("MultiSafepay's payout report is one payout, and each of its rows a line", () => {
  const read = readPayoutReport(REPORT)
  const [payout] = read.ok ? read.value : []
  expect(payout).toMatchObject({ id: '88001', currency: 'EUR', amount: 6565 })
  expect(payout?.lines.flatMap(({ transfer = [] }) => transfer)).toEqual(['302'])
  expect(
    payout?.lines.map(({ kind, gross, fee, job, reference }) => [kind, gross, fee, job, reference]),
  ).toEqual([
    ['payment', 10_000, 0, JOB, '301'],
    ['fee', 0, 35, JOB, '301'],
    ['refund', -2000, 0, JOB, '302'],
    ['chargeback', -1200, 0, JOB, '303'],
  ])
})

it("has the time and the text of each row, and the number of an order that is not the hub's", () => {
  const foreign = REPORT.replace(JOB, 'A-77').replace('2026-10-02 10:00:00', '')
  const read = readPayoutReport(foreign)
  const [first, , third] = read.ok ? (read.value[0]?.lines ?? []) : []
  expect(first).toMatchObject({ job: null, orderNumber: 'A-77', text: 'iDEAL: Cost of a book' })
  expect(first?.at).toBe(Date.parse('2026-10-01T10:00:00Z'))
  expect(third?.at).toBe(Date.parse('2026-10-02T09:00:00Z'))
  expect(read.ok && read.value[0]?.paidAt).toBe(Date.parse('2026-10-03T10:00:00Z'))
})

it('without a row for the payout itself has the sum of its rows', () => {
  const rows = REPORT.split('\n').filter((row) => !row.includes('Payout;;'))
  expect(readPayoutReport(rows.join('\n'))).toMatchObject({ ok: true, value: [{ amount: 6765 }] })
})

it('may have commas, underscores in its head, and cells that a spreadsheet adds', () => {
  const text = REPORT.replaceAll('100,00', '100.00')
    .replaceAll(/\d,\d\d;/g, '1;')
    .replaceAll(';', ',')
  const lines = text.replace('Amount cents', 'amount_cents').split('\n')
  const padded = lines.map((line) => (line === '' ? line : `${line},,`)).join('\n')
  const read = readPayoutReport(padded)
  expect(read).toMatchObject({ ok: true, value: [{ id: '88001', amount: 6565 }] })
})

it.each([
  ['Chargeback reversal', 'C', 'reversal'],
  ['Reversed', 'C', 'reversal'],
  ['Charge back', 'D', 'chargeback'],
  ['Refunded', 'D', 'refund'],
  ['Monthly costs', 'D', 'fee'],
  ['Currency conversion', 'C', 'correction'],
  ['Invoice', 'D', 'correction'],
  ['Bancontact', 'C', 'payment'],
  ['Something new', 'D', 'correction'],
])('a row of %s (%s) is a %s', (type, side, kind) => {
  const read = readPayoutReport(REPORT.replace('C;N;iDEAL', `${side};N;${type}`))
  expect(read.ok && read.value[0]?.lines[0]?.kind).toBe(kind)
})

it.each([
  ['10000;C', '100,00;C', 10, 'Amount cents'],
  ['2000;D', '2000;X', 12, 'Creditdebit'],
  ['2026-10-03 10:00:00', '3 October', 13, 'Completed date/time'],
  ['EUR;', 'euro;', 1, 'Payout currency'],
  ['88001;', ';', 1, 'Payout ID'],
  ['Amount cents', 'Cents', 1, 'Amount cents'],
])('a report with %s as %s is refused with its line and column', (good, bad, line, column) => {
  expect(readPayoutReport(REPORT.replace(good, bad))).toMatchObject({ ok: false, error: { line, column } })
})
