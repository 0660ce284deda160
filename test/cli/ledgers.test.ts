import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { doubleEntryText, readCodes } from '../../src/cli/double-entry.ts'
import type { DoubleEntry } from '../../src/contract/books.ts'
import { isInstalled } from '../support/installed.ts'
import { csvLine } from '../../src/platform/csv-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'hub-ledgers-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A test with a real program, which its name says is missing where it is not installed. */
function withProgram(program: string, title: string, test: () => void): void {
  const isThere = isInstalled(program)
  it.skipIf(!isThere)(isThere ? title : `${title} (skipped: ${program} is not installed)`, test)
}
function run(program: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
  return { status, out: stdout.replaceAll(/ +/g, ' '), err: stderr }
}
function write(name: string, ...texts: string[]): string {
  writeFileSync(join(folder, name), texts.join('\n'))
  return name
}

const AMOUNTS = { EUR: '1234.50', KWD: '1.234', JPY: '1200.00' }
function monthOf(month: string): DoubleEntry {
  const journals = Object.entries(AMOUNTS).map(([currency, amount]) => ({
    date: `${month}-03`,
    account: 'stripe-eu',
    currency,
    payouts: ['po_1'],
    corrects: null,
    postings: [
      { post: 'bank' as const, amount },
      { post: 'payments' as const, amount: `-${amount}` },
    ],
  }))
  return { month, mode: 'test', journals }
}
const textOf = (format: Parameters<typeof readCodes>[1], codes = '', month = '2026-10') =>
  doubleEntryText(monthOf(month), format, readCodes(codes, format))
/** A book whose numbers are written as in Germany. */
const GERMAN = ['EUR', 'KWD', 'JPY']
  .map((currency) => `2026-01-01 x\n    a  1.000,00 ${currency}\n    b  -1.000,00 ${currency}\n`)
  .join('\n')

withProgram('hledger', 'hledger reads each amount with its decimals, and accounts with blanks', () => {
  const file = write('hub.journal', textOf('hledger', 'bank=1100 Bank (EU),bank.JPY=1105'))
  const { status, out } = run('hledger', '-f', file, 'print', '-x')
  expect(status).toBe(0)
  for (const part of ['1100 Bank (EU) 1234.50 EUR', '1100 Bank (EU) 1.234 KWD', '1105 1200.00 JPY'])
    expect(out).toContain(part)
})

withProgram('ledger', 'ledger reads each amount with its decimals, whatever it read before and after', () => {
  const own = textOf('ledger')
  const files = { alone: [own], before: [GERMAN, own], after: [own, GERMAN] }
  for (const [name, texts] of Object.entries(files)) {
    const file = write(name, ...texts)
    const { status, out, err } = run('ledger', '-f', file, 'bal', 'Assets:Bank')
    expect([name, status, err]).toEqual([name, 0, ''])
    for (const amount of ['1\\.?234[.,]50? EUR', '1[.,]234 KWD', '1\\.?200(,00)? JPY'])
      expect(out).toMatch(new RegExp(` ${amount}`))
  }
})

withProgram(
  'bean-check',
  'beancount takes two months together, and with a book that opens its accounts',
  () => {
    const months = ['2026-10', '2026-11'].map((month) =>
      write(`${month}.beancount`, textOf('beancount', '', month)),
    )
    const texts = ['2026-10', '2026-11'].map((month) => textOf('beancount', '', month))
    const opens = '2020-01-01 open Assets:Bank\n2020-01-01 open Income:Payments\n'
    const included = months.map((file) => `include "${file}"\n`)
    const books = [
      texts,
      [opens, ...texts],
      [opens, ...included],
      ['plugin "beancount.plugins.auto_accounts"', ...included],
    ]
    for (const book of books)
      expect(run('bean-check', write('book.beancount', ...book))).toMatchObject({ status: 0, err: '' })
  },
)

withProgram('bean-check', 'beancount takes renamed roots, and an account for a currency', () => {
  const own = textOf('beancount', 'bank=Vermögen:Bank,bank.JPY=Vermögen:Yen,payments=Erträge:Shop-1')
  write('own.beancount', own)
  const book = [
    'option "name_assets" "Vermögen"\noption "name_income" "Erträge"\ninclude "own.beancount"',
    '2020-01-01 open Vermögen:Bank EUR,KWD\n2020-01-01 open Vermögen:Yen JPY\n2020-01-01 open Erträge:Shop-1\n',
  ]
  for (const texts of [[own], book])
    expect(run('bean-check', write('renamed.beancount', ...texts))).toMatchObject({ status: 0, err: '' })
})

it.each([
  ['bank=Assets:Bank_EU', 'beancount'],
  ['bank=Assets', 'beancount'],
  ['bank=Assets:bank', 'beancount'],
  ['bank=Vermögen:Bank,fees=Assets:Fees', 'beancount'],
  ['payments=Ertrag:A,refunds=Einnahmen:B', 'beancount'],
  ['bank=(Assets:Bank)', 'hledger'],
  ['bank=[Assets:Bank]', 'ledger'],
  ['bank=Assets  Bank', 'hledger'],
  ['bank=Assets\tBank  x', 'ledger'],
  ['bank=! Assets', 'ledger'],
  ['bank.EURO=1100', 'csv'],
] as const)('the codes %j are refused for %s, which cannot read them', (codes, format) => {
  expect(() => readCodes(codes, format)).toThrow(/--codes/)
})

withProgram(
  'soffice',
  "LibreOffice takes amounts for numbers and order numbers for texts, with the file's filter",
  () => {
    for (const [separator, language] of [
      [',', '1033'],
      [';', '1031'],
    ] as const) {
      const cells = ['00123', '1E5', '12.50', 'A-1', { amount: '-1234.50' }, { amount: '1.250' }]
      write('cells.csv', csvLine(cells, separator))
      const filter = `--infilter=CSV:${separator.codePointAt(0)},34,76,1,,${language},true`
      run(
        'soffice',
        `-env:UserInstallation=file://${folder}/profile`,
        '--headless',
        filter,
        '--convert-to',
        'fods',
        'cells.csv',
      )
      const sheet = readFileSync(join(folder, 'cells.fods'), 'utf8').split('<table:table-row')[1] ?? ''
      const read = [
        ...sheet.matchAll(/office:value-type="(\w+)"(?: office:value="([^"]*)")?[^>]*>\s*<text:p>([^<]*)/g),
      ]
      expect(read.map(([, type, value, shown]) => [type, value ?? shown])).toEqual([
        ['string', '00123'],
        ['string', '1E5'],
        ['string', '12.50'],
        ['string', 'A-1'],
        ['float', '-1234.5'],
        ['float', '1.25'],
      ])
    }
  },
)
