import { readFile } from 'node:fs/promises'
import type { BookedPayout, BooksMonth } from '../../contract/books.ts'
import { PAYOUT_FILES } from '../../psp/payout-files.ts'
import { type PayoutWithLines, partsOf } from '../../psp/payouts.ts'
import { group, option, word } from '../program.ts'
import { UsageError, quoted } from '../usage-error.ts'
import { count, hubCommand } from './hub-command.ts'
import { doubleEntryText, readCodes } from './double-entry.ts'
import { ask, askPages } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'
import type { View } from './view.ts'

const ACCOUNT = word('the account at the PSP')

const fetched = hubCommand({
  does: 'asks a PSP what it has paid out, and books what is new',
  example: 'stripe-eu',
  args: { account: ACCOUNT },
  run: async ({ account }) => {
    const total = { account, payouts: 0, lines: 0 }
    for await (const page of askPages('fetchPayouts', { params: { id: account } })) {
      total.payouts += page.payouts
      total.lines += page.lines
      console.error(`${account}: ${count(total.payouts, 'payout', 'payouts')}, ${total.lines} lines`)
    }
    return total
  },
  show: ({ payouts, lines }) =>
    payouts === 0
      ? 'Nothing new was paid out.'
      : `${count(payouts, 'payout is', 'payouts are')} new, with ${lines} lines.`,
})

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

const imported = hubCommand({
  does: 'books the payouts in a file of Adyen, Mollie or MultiSafepay, in CSV',
  example: 'adyen-eu settlement_detail_report_batch_7.csv',
  args: { account: ACCOUNT, file: word('the file, as the PSP made it') },
  run: async ({ account, file }) => {
    const { accounts } = await ask('listAccounts')
    const psp = accounts.find(({ id }) => id === account)?.psp
    if (psp === undefined) throw new UsageError(`There is no account ${account}.`)
    const payouts = payoutsIn(psp, file, await readFile(file, 'utf8'))
    let findings = 0
    for (const body of payouts.flatMap(partsOf)) {
      const part = await ask('importPayout', { params: { id: account }, body })
      findings += part.findings
      console.error(`${body.id}: ${body.from + body.lines.length - 1} of ${body.total} lines`)
    }
    return { account, payouts: payouts.map(({ id }) => id), findings }
  },
  show: ({ payouts, findings }) =>
    `${count(payouts.length, 'payout is', 'payouts are')} booked: ${payouts.join(', ')}. ` +
    (findings === 0
      ? 'All is explained.'
      : `${count(findings, 'line is', 'lines are')} not explained: see books why.`),
})

function isExplained({ difference, findings }: BookedPayout): boolean {
  return /^0[.0]*$/.test(difference) && findings === 0
}

function showMonth({ month, closed, payouts }: BooksMonth, view: View): string {
  const rest = payouts.filter((one) => !isExplained(one))
  return [
    view.list(`Nothing was paid out in ${month}.`, payouts, {
      paid: ({ paid }) => paid.slice(0, 10),
      account: ({ account }) => account,
      payout: ({ id }) => id,
      amount: ({ currency, amount }) => `${currency} ${amount}`,
      fees: ({ fees }) => fees,
      difference: ({ difference }) => difference,
      'not explained': ({ findings }) => String(findings),
    }),
    '',
    rest.length === 0
      ? `${month} is explained to the cent.`
      : `Look at ${rest.map(({ id }) => id).join(', ')}: books why.`,
    closed === null
      ? `${month} is open.`
      : `${month} was closed by ${closed.by} at ${view.time(closed.at)}${closed.note ? `: ${closed.note}` : '.'}`,
  ].join('\n')
}

const MONTH = {
  ...word('the month (UTC), such as 2026-01; this month if not given'),
  required: false,
} as const

function monthNamed(text: string | undefined): string {
  return text ?? new Date().toISOString().slice(0, 7)
}

const shown = hubCommand({
  does: 'shows what was paid out in a month, and whether it is explained',
  example: '2026-01',
  args: { month: MONTH },
  run: ({ month }) => ask('showMonth', { params: { month: monthNamed(month) } }),
  show: showMonth,
})

const open = hubCommand({
  does: 'lists payments that were paid and are in no payout yet',
  example: '--days 14',
  args: {
    days: option('N', 'created at least so many days ago'),
    account: option('ID', 'of this account'),
  },
  run: ({ days, account }) => ask('listOpenPayments', { query: { days, account } }),
  show: ({ jobs, more }, view) =>
    [
      view.list('All that was paid is in a payout.', jobs, {
        created: ({ created }) => view.time(created),
        account: ({ account }) => account,
        order: ({ orderNumber }) => orderNumber,
        paid: ({ currency, paid }) => `${currency} ${paid}`,
        'payment job': ({ id }) => id,
      }),
      ...(more ? ['', 'There are more.'] : []),
    ].join('\n'),
})

const why = hubCommand({
  does: 'shows what is in a payout, and which lines the hub cannot explain',
  example: 'po_1Abc',
  args: {
    payout: word('the payout'),
    account: option('ID', 'of this account, where several have a payout of this id'),
  },
  run: async ({ payout: id, account }) => {
    const lines = []
    let payout: BookedPayout | null = null
    for await (const page of askPages('showPayout', { params: { id }, query: { account } })) {
      payout = page.payout
      lines.push(...page.lines)
    }
    return { payout, lines }
  },
  show: ({ payout, lines }, view) =>
    [
      ...(payout
        ? [
            `${payout.id}: ${payout.currency} ${payout.amount} paid, ${payout.explained} explained, ${payout.difference} left`,
            '',
          ]
        : []),
      view.list('It has no lines.', lines, {
        line: ({ line }) => String(line),
        what: ({ kind }) => kind,
        gross: ({ gross }) => gross,
        fee: ({ fee }) => fee,
        net: ({ net }) => net,
        'not explained': ({ finding }) => finding ?? '',
        order: ({ orderNumber }) => orderNumber ?? '',
        'payment job': ({ job }) => job ?? '',
        reference: ({ reference }) => reference ?? '',
      }),
    ].join('\n'),
})

const close = hubCommand({
  does: 'closes a month: what comes later is booked in the next one that is open',
  example: '2026-01 --note "Line 7 is a test payment"',
  args: {
    month: word('the month, such as 2026-01'),
    note: option('TEXT', 'why it may be closed although something is not explained'),
    ...YES,
  },
  run: async ({ month, note, yes }) => {
    await confirm(`Close ${month}? It cannot be opened again.`, yes)
    return ask('closeMonth', { params: { month }, body: { note } })
  },
  show: showMonth,
})

const exported = hubCommand({
  does: 'writes a month as double entry',
  example: '2026-01 --format hledger',
  args: {
    month: MONTH,
    format: {
      type: 'enum',
      options: ['csv', 'hledger', 'beancount'],
      default: 'csv',
      description: 'csv if not given',
    },
    codes: option('LIST', 'your account codes: bank=1100,fees=4700,payments=8000'),
  },
  run: async ({ month, format, codes }) => {
    const names = readCodes(codes ?? '', format)
    const entry = await ask('showDoubleEntry', { params: { month: monthNamed(month) } })
    return { text: doubleEntryText(entry, format, names) }
  },
  show: ({ text }) => text.trimEnd(),
})

export const books = group('what PSPs paid out', 'show 2026-01', {
  fetch: fetched,
  import: imported,
  show: shown,
  open,
  why,
  close,
  export: exported,
})
