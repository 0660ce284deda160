import { readFile } from 'node:fs/promises'
import type { BookedPayout, BooksMonth } from '../contract/books.ts'
import type { Mode } from '../contract/values.ts'
import { PAYOUT_FILES } from '../psp/payouts/payout-files.ts'
import { type PayoutWithLines, payoutParts } from '../psp/payouts/payouts.ts'
import { group, option, word } from '../programs/program.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { ENTRY_FORMATS, doubleEntryText, readCodes } from './double-entry.ts'
import { OUT, tellWritten, writeOut } from './exports.ts'
import { ACCOUNT, accountNamed } from './named.ts'
import { HubError } from '../programs/chosen-hub.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { queryFlags, queryOf } from './query-flags.ts'
import { type Lines, type View, printable } from '../programs/view.ts'

const fetched = hubCommand({
  does: 'ask a PSP what it has paid out, and book the new payouts',
  example: 'stripe-eu',
  args: { account: ACCOUNT },
  run: async ({ account }) => ({
    account,
    ...(await addUp(askPages('fetchPayouts', { params: { id: account } }), ({ payouts, lines }) =>
      console.error(`${account}: ${count(payouts, 'payout', 'payouts')}, ${lines} lines`),
    )),
  }),
})

function notBooked({ payout, why }: { payout: string; why: string }): string {
  return `${payout} is not booked: ${why}`
}

/** The payouts of a file. An Error names the line and the column that cannot be read. */
function payoutsIn(psp: string, file: string, text: string): PayoutWithLines[] {
  const read = PAYOUT_FILES[psp]?.(text)
  if (!read)
    throw new UsageError(
      `The hub reads no files of ${psp}: there are ${Object.keys(PAYOUT_FILES).join(', ')}.`,
    )
  if (read.ok) return read.value
  const { line, column, why } = read.error
  throw new Error(
    `${file}, line ${line}${column === '' ? '' : `, column ${quoted(column)}`}: ${why}. Nothing was booked.`,
  )
}

/** How many lines of a file are booked. */
function bar(done: number, total: number): string {
  const width = 30
  const full = total === 0 ? width : Math.floor((done / total) * width)
  return `[${'#'.repeat(full).padEnd(width, '.')}] ${done} of ${total} lines`
}

const imported = hubCommand({
  does: 'book the payouts in a file that you downloaded at the PSP, in CSV',
  example: 'adyen-eu settlement_detail_report_batch_7.csv',
  args: { account: ACCOUNT, file: word('the file, as the PSP made it') },
  run: async ({ account, file }) => {
    const { psp } = await accountNamed(account)
    const payouts = payoutsIn(psp, file, await readFile(file, 'utf8'))
    const total = payouts.reduce((sum, { lines }) => sum + lines.length, 0)
    let [findings, done] = [0, 0]
    const [booked, leftOut]: [string[], { payout: string; why: string }[]] = [[], []]
    for (const payout of payouts) {
      try {
        for (const body of payoutParts(payout)) {
          const part = await ask('importPayout', { params: { id: account }, body })
          findings += part.findings
          done += body.lines.length
          if (process.stderr.isTTY) process.stderr.write(`\r${bar(done, total)}`)
          else if (part.isWhole) console.error(`${body.id}: ${body.total} lines`)
        }
        booked.push(payout.id)
      } catch (error) {
        // The hub refuses only this payout, and books the others of the file.
        const { problem = null } = error instanceof HubError ? error : {}
        if (problem?.['code'] !== 'payout-conflict') throw error
        leftOut.push({ payout: payout.id, why: problem.detail })
      }
    }
    if (process.stderr.isTTY) process.stderr.write('\n')
    if (booked.length === 0) throw new Error(leftOut.map(notBooked).join('\n'))
    return { account, payouts: booked, findings, leftOut }
  },
})

function isExplained({ difference, findings }: BookedPayout): boolean {
  return /^0[.0]*$/.test(difference) && findings === 0
}

/** Marks test mode, in which no money moves. Live books have no mark. */
function marked(mode: Mode): string {
  return mode === 'test' ? ' (test mode)' : ''
}

function showMonth({ mode, closed, over, payouts, ...books }: BooksMonth, view: View): Lines {
  const rest = payouts.filter((one) => !isExplained(one))
  const month = `${books.month}${marked(mode)}`
  return [
    view.list(`Nothing was paid out in ${month}.`, payouts, [
      ['paid', ({ paid }) => paid.slice(0, 10)],
      'account',
      ['payout', 'id'],
      ['amount', ({ currency, amount }) => `${currency} ${amount}`],
      'fees',
      'difference',
      ['not explained', 'findings'],
      'corrects',
      'returned',
    ]),
    '',
    rest.length === 0
      ? `${month} is explained to the cent.`
      : `Look at ${rest.map(({ id }) => id).join(', ')}: books why.`,
    closed === null
      ? `${month} is open. ${Date.now() < Date.parse(over) ? `It can be closed from ${view.time(over)} on.` : ''}`.trim()
      : `${month} was closed by ${closed.by} at ${view.time(closed.at)}${closed.note ? `: ${closed.note}` : '.'}`,
  ]
}

const MONTH = {
  ...word('the month (UTC), such as 2026-01; this month if not given'),
  required: false,
  default: new Date().toISOString().slice(0, 7),
} as const

const shown = operationCommand('showMonth', {
  example: '2026-01',
  words: { month: MONTH },
  show: showMonth,
})

const open = operationCommand('listOpenPayments', {
  example: '--days 14',
})

const why = hubCommand({
  does: 'show what is in a payout, and which lines the hub cannot explain',
  example: 'po_1Abc',
  args: { payout: word('the payout'), ...queryFlags('showPayout', ['account']) },
  run: ({ payout: id, ...given }, utc) =>
    addUp(askPages('showPayout', { params: { id }, query: queryOf('showPayout', given, utc) })),
  show: ({ payout, lines }, view) => view.answer(printable({ ...payout, lines })),
})

const close = operationCommand('closeMonth', {
  example: '2026-01 --note "Line 7 is a test payment"',
  asks: ({ month }) =>
    `Close ${month}? Later payouts for it go into the next open month. You can undo this with books reopen until a later month is closed.`,
  show: showMonth,
})

const reopen = operationCommand('reopenMonth', {
  asks: ({ month }) =>
    `Reopen ${month}? Payouts that went into a later month because it was closed go back into it.`,
  show: showMonth,
})

const exported = hubCommand({
  does: 'write a month as double entry',
  example: '2026-01 --format hledger',
  args: {
    month: MONTH,
    format: {
      type: 'enum',
      options: ENTRY_FORMATS,
      default: 'csv',
      description: 'csv if not given',
    },
    ...queryFlags('showDoubleEntry', ['mode']),
    codes: { ...option('LIST', 'your account codes: bank=1100,bank.USD=1105,fees=4700'), default: '' },
    separator: {
      type: 'enum',
      options: [',', ';'],
      default: ',',
      description: 'between the cells of CSV: with ; amounts have a decimal comma',
    },
    ...OUT,
  },
  run: async ({ month, mode, format, codes, separator, json, ...whereto }) => {
    const names = readCodes(codes, format)
    const entry = await ask('showDoubleEntry', { params: { month }, query: { mode } })
    const text = doubleEntryText(entry, format, names, separator)
    const content = json ? `${JSON.stringify({ text })}\n` : text
    if (whereto.out === undefined) return console.log(content.trimEnd())
    await writeOut(whereto, async function* () {
      yield content
    })
    const postings = entry.journals.reduce((sum, { postings: some }) => sum + some.length, 0)
    tellWritten(count(postings, 'posting', 'postings'), whereto.out)
  },
})

export const books = group('what PSPs paid out', 'show 2026-01', {
  fetch: fetched,
  import: imported,
  show: shown,
  open,
  why,
  close,
  reopen,
  export: exported,
})
