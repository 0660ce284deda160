import { isCurrency } from '../../contract/money.ts'
import { parseJobId } from '../../contract/ids.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type CsvRecord, type CsvRow, readRows, recordsOf } from '../csv.ts'
import type { FileFault, LineKind, PayoutLine, PayoutWithLines } from '../payouts.ts'

/** Columns are named with spaces or underscores, in any case. */
function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll('_', ' ')
}

/**
 * Reads a payout report, saved as CSV: what stands above its table names the payout, and each row
 * of the table is a transaction or a fee.
 * https://docs.multisafepay.com/docs/reports#payout-report
 */
export function readPayoutReport(text: string): Result<PayoutWithLines[], FileFault> {
  const rows = readRows(text)
  if (!rows.ok) return rows
  const table = rows.value.findIndex(({ fields }) => fields.some((name) => plain(name) === 'amount cents'))
  if (table < 0) return refuse({ line: 1, column: 'Amount cents', why: 'is missing' })
  const above = new Map(
    rows.value.slice(0, table).map(({ fields }) => [plain(fields[0] ?? ''), fields[1] ?? '']),
  )
  const [id, currency] = [above.get('payout id')?.trim() ?? '', above.get('payout currency')?.trim() ?? '']
  if (id === '') return refuse({ line: 1, column: 'Payout ID', why: 'is missing above the table' })
  if (!isCurrency(currency)) return refuse({ line: 1, column: 'Payout currency', why: 'is no currency' })
  const records = recordsOf(withPlainHead(rows.value.slice(table)))
  if (!records.ok) return records
  const lines: PayoutLine[] = []
  let paidOut: number | null = null
  for (const record of records.value) {
    const read = readLine(record)
    if (!read.ok) return read
    // The payout itself is a row too: it leaves the balance.
    if (read.value.type === 'payout') paidOut = (paidOut ?? 0) - read.value.amount
    else lines.push(read.value.line)
  }
  const sum = lines.reduce((all, { gross, fee }) => all + gross - fee, 0)
  const paidAt = Math.max(...lines.map(({ at }) => at), 0)
  return ok([{ id, currency, amount: paidOut ?? sum, paidAt, lines }])
}

/** Empty cells at the end of rows are left out: spreadsheets add them to make all rows as long. */
function withPlainHead([head, ...others]: readonly CsvRow[]): CsvRow[] {
  const names = head?.fields.map(plain) ?? []
  const width = names.findLastIndex((name) => name !== '') + 1
  const rows = others.map(({ line, fields }) =>
    fields.slice(width).every((field) => field === '')
      ? { line, fields: fields.slice(0, width) }
      : { line, fields },
  )
  return [{ line: head?.line ?? 1, fields: names.slice(0, width) }, ...rows]
}

type Read = { type: string; amount: number; line: PayoutLine }

function readLine({ line: at, fields }: CsvRecord): Result<Read, FileFault> {
  const of = (column: string) => fields.get(column)?.trim() ?? ''
  const wrong = (column: string, why: string) => refuse({ line: at, column, why })
  const cents = of('amount cents')
  if (!/^-?\d{1,12}$/.test(cents)) return wrong('Amount cents', 'is no whole number')
  const side = of('creditdebit').toUpperCase()
  if (side !== 'C' && side !== 'D') return wrong('Creditdebit', 'is neither C nor D')
  const time = timeOf(of('completed date/time') || of('created date'))
  if (time === null) return wrong('Completed date/time', 'is no time such as 2026-01-31 10:00:00')
  const amount = (side === 'C' ? 1 : -1) * Math.abs(Number(cents))
  const type = of('payment type').toLowerCase()
  const sub = of('sub description')
  const kind = kindOf(`${type} ${sub.toLowerCase()}`, amount)
  const money = kind === 'fee' ? { gross: 0, fee: -amount } : { gross: amount, fee: 0 }
  const order = of('order id')
  return ok({
    type,
    amount,
    line: {
      kind,
      at: time,
      // The hub gives MultiSafepay the id of the job as the order's.
      job: parseJobId(order),
      reference: of('psp id') || null,
      orderNumber: order || null,
      ...money,
      text: [of('payment type'), sub || of('mt description')].filter(Boolean).join(': '),
    },
  })
}

/** By the words of the payment type and the description; the first that is found counts. */
const WORDS: readonly (readonly [RegExp, LineKind])[] = [
  [/\b(fee|costs?)\b/, 'fee'],
  [/\b(chargeback )?(reversal|reversed)\b/, 'reversal'],
  [/\bcharge ?back\b/, 'chargeback'],
  [/\brefund(ed)?\b/, 'refund'],
  [/\b(correction|currency conversion|invoice)\b/, 'correction'],
]

function kindOf(words: string, amount: number): LineKind {
  const [, kind] = WORDS.find(([word]) => word.test(words)) ?? []
  return kind ?? (amount < 0 ? 'correction' : 'payment')
}

function timeOf(text: string): number | null {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`)
  return Number.isNaN(at) ? null : at
}
