import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { sampleAnswer } from './sample-answers.ts'
import type { DoubleEntry } from '../../src/contract/books.ts'
import { doubleEntryText, readCodes } from '../../src/cli/double-entry.ts'

const { answer } = askedHub()

const ENTRY: DoubleEntry = {
  month: '2026-10',
  mode: 'live',
  journals: [
    {
      date: '2026-10-05',
      account: 'adyen-eu',
      currency: 'EUR',
      corrects: null,
      payouts: ['batch-7-EUR'],
      postings: [
        { post: 'bank', amount: '30.00' },
        { post: 'payments', amount: '-100.00' },
        { post: 'refunds', amount: '60.00' },
        { post: 'fees', amount: '10.00' },
      ],
    },
  ],
}

it('hledger and beancount get a journal whose postings come to zero', () => {
  const hledger = doubleEntryText(ENTRY, 'hledger', readCodes('', 'hledger'))
  expect(hledger).toMatch(
    /^decimal-mark \.\n\n2026-10-05 \* adyen-eu batch-7-EUR\n {4}Assets:Bank {2,}30.00 EUR\n {4}Income:Payments {2,}-100.00 EUR\n/,
  )
  const beancount = doubleEntryText(ENTRY, 'beancount', readCodes('', 'beancount'))
  expect(beancount).toContain('2026-10-05 * "adyen-eu batch-7-EUR"')
})

it('CSV has debits and credits, and the codes that were asked for', () => {
  const text = doubleEntryText(ENTRY, 'csv', readCodes('bank=1100,payments=8000', 'csv'))
  expect(text.split('\r\n').slice(0, 3)).toEqual([
    'date,account,currency,code,debit,credit,payouts,corrects,mode',
    '2026-10-05,adyen-eu,EUR,1100,30.00,,batch-7-EUR,,live',
    '2026-10-05,adyen-eu,EUR,8000,,100.00,batch-7-EUR,,live',
  ])
})

it.each([
  ['bnak=1100', 'csv'],
  ['bank', 'csv'],
  ['bank=1100', 'beancount'],
] as const)('unusable codes are refused: %s for %s', (codes, format) => {
  expect(() => readCodes(codes, format)).toThrow(/--codes/)
})

it('books export prints a line for each posting, and with semicolons decimal commas after a byte order mark', async () => {
  answer(ENTRY)
  const { code, out } = await runHub(['books', 'export', '2026-10', '--separator', ';'])
  expect([code, out.length, out[0]?.startsWith('\ufeffdate;'), out[1]?.trim(), out[2]?.trim()]).toEqual([
    0,
    5,
    true,
    '2026-10-05;adyen-eu;EUR;Assets:Bank;30,00;;batch-7-EUR;;live',
    '2026-10-05;adyen-eu;EUR;Income:Payments;;100,00;batch-7-EUR;;live',
  ])
})

it('books export writes a file, says how many postings it has, and writes over none unasked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-books-'))
  const file = join(folder, 'october.csv')
  answer(ENTRY, ENTRY)
  const words = ['books', 'export', '2026-10', '--out', file]
  expect(await runHub(words)).toMatchObject({ code: 0, out: [], err: [`4 postings written to ${file}.`] })
  expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(6)
  expect((await runHub([...words, '--separator', ';'])).code).toBe(2)
  expect(readFileSync(file, 'utf8')).not.toContain(';')
  rmSync(folder, { recursive: true })
})

it.each([
  ['hledger', '30.00 EUR'],
  ['beancount', '30.00 EUR'],
] as const)('%s has decimal points, whatever separator is named', (format, amount) => {
  expect(doubleEntryText(ENTRY, format, readCodes('', format), ';')).toContain(amount)
})

it('CSV has no formula, however a payout is named', () => {
  const [journal] = ENTRY.journals
  const named = { ...ENTRY, journals: journal ? [{ ...journal, payouts: ['\uFF1D1+1'] }] : [] }
  const lines = doubleEntryText(named, 'csv', readCodes('', 'csv')).split('\r\n')
  expect(lines[1]).toContain(",'\uFF1D1+1")
})

it('what corrects a closed month says so in each format', () => {
  const [journal] = ENTRY.journals
  const late = { ...ENTRY, journals: journal ? [{ ...journal, corrects: '2026-09' }] : [] }
  for (const format of ['csv', 'hledger', 'beancount'] as const)
    expect(doubleEntryText(late, format, readCodes('', format))).toContain('2026-09')
})

it('an export of test mode is marked in each format', () => {
  const test: DoubleEntry = { ...ENTRY, mode: 'test' }
  const textOf = (entry: DoubleEntry, format: 'csv' | 'hledger' | 'beancount') =>
    doubleEntryText(entry, format, readCodes('', format))
  expect(textOf(test, 'csv').split('\r\n')[1]).toMatch(/,test$/)
  for (const format of ['hledger', 'beancount'] as const) {
    expect(textOf(test, format)).toMatch(/^; Test mode/m)
    expect(textOf(ENTRY, format)).not.toMatch(/test/i)
  }
})

it('books show marks test mode, and says from when on a month can be closed', async () => {
  const over = '2099-02-01T00:00:00.000Z'
  answer({ month: '2099-01', mode: 'test', over, closed: null, laterClosed: null, payouts: [] })
  const { out } = await runHub(['books', 'show', '2099-01', '--mode', 'test', '--utc'])
  expect(out.join('\n')).toMatch(/test mode[\s\S]*2099-02-01/)
})

it('books why counts what is not explained, and names the payment of a line that differs', async () => {
  const job = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
  const sample = sampleAnswer('GET', '/operator/v1/books/payouts/po_1') as { payout: object; lines: [object] }
  const line = { ...sample.lines[0], job, finding: 'amount-differs' }
  answer({ ...sample, payout: { ...sample.payout, findings: 1 }, lines: [line] })
  const { out } = await runHub(['books', 'why', 'po_1'])
  expect(out.join('\n')).toMatch(/^findings +1$/m)
  expect(out.join('\n')).toContain(job)
})
