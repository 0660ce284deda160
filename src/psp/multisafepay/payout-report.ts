import { isCurrency } from '../../contract/money.ts'
import { parseJobId } from '../../contract/ids.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type CsvRecord, readRows, recordOf } from '../csv.ts'
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
  const above = new Map<string, string>()
  let head: string[] | null = null
  let paidOut: number | null = null
  const lines: PayoutLine[] = []
  for (const row of readRows(text)) {
    if (!row.ok) return row
    const { fields } = row.value
    if (head === null) {
      above.set(plain(fields[0] ?? ''), fields[1]?.trim() ?? '')
      head = headOf(fields)
      continue
    }
    const record = recordOf(head, { ...row.value, fields: fitted(fields, head.length) })
    if (!record.ok) return record
    const read = readLine(record.value)
    if (!read.ok) return read
    // The payout itself is a row too: it leaves the balance.
    if (read.value.type === 'payout') paidOut = (paidOut ?? 0) - read.value.amount
    else lines.push(read.value.line)
  }
  if (head === null) return refuse({ line: 1, column: 'Amount cents', why: 'is missing' })
  const [id = '', currency = ''] = [above.get('payout id'), above.get('payout currency')]
  if (id === '') return refuse({ line: 1, column: 'Payout ID', why: 'is missing above the table' })
  if (!isCurrency(currency)) return refuse({ line: 1, column: 'Payout currency', why: 'is no currency' })
  const sum = lines.reduce((all, { gross, fee }) => all + gross - fee, 0)
  const paidAt = lines.reduce((last, { at }) => Math.max(last, at), 0)
  return ok([{ id, currency, amount: paidOut ?? sum, paidAt, lines }])
}

/** The names of the columns, if this is their row. */
function headOf(fields: readonly string[]): string[] | null {
  const names = fields.map(plain)
  return names.includes('amount cents')
    ? names.slice(0, names.findLastIndex((name) => name !== '') + 1)
    : null
}

/** Without empty cells behind the last column: spreadsheets add them to make all rows as long. */
function fitted(fields: string[], width: number): string[] {
  return fields.slice(width).every((field) => field === '') ? fields.slice(0, width) : fields
}

type Read = { type: string; amount: number; line: PayoutLine }

function readLine({ line: at, cell }: CsvRecord): Result<Read, FileFault> {
  const of = (column: string) => cell(column).trim()
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
