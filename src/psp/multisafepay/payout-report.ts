import { isCurrency } from '../../contract/money.ts'
import { parseJobId } from '../../contract/ids.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type CsvRecord, readCsv } from '../payouts/csv.ts'
import {
  type FileFault,
  type LineKind,
  type PayoutLine,
  type PayoutWithLines,
  isPayoutId,
} from '../payouts/payouts.ts'
import { timeIn } from '../payouts/report-time.ts'
import { jobIn } from './order.ts'

const NEEDED =
  'Amount cents,Creditdebit,Completed date/time,PSP ID,Payment type,Sub description,Order ID'.split(',')

/**
 * Reads a payout report that was saved as CSV. The rows above its table name the payout, and each row of
 * the table is a transaction or a fee.
 * https://docs.multisafepay.com/docs/reports#payout-report
 */
export function readPayoutReport(text: string): Result<PayoutWithLines[], FileFault> {
  const above = new Map<string, string>()
  let paidOut: number | null = null
  const lines: PayoutLine[] = []
  for (const record of readCsv(text, NEEDED, above)) {
    if (!record.ok) return record
    const read = readLine(record.value)
    if (!read.ok) return read
    // The payout itself is a row too, because it leaves the balance.
    if (read.value.type === 'payout') paidOut = (paidOut ?? 0) - read.value.amount
    else lines.push(read.value.line)
  }
  const [id = '', currency = ''] = [above.get('payoutid'), above.get('payoutcurrency')]
  if (!isPayoutId(id)) return refuse({ line: 1, column: 'Payout ID', why: 'is missing above the table' })
  if (!isCurrency(currency)) return refuse({ line: 1, column: 'Payout currency', why: 'is not a currency' })
  const sum = lines.reduce((all, { gross, fee }) => all + gross - fee, 0)
  const paidAt = lines.reduce((last, { at }) => Math.max(last, at), 0)
  return ok([{ id, currency, amount: paidOut ?? sum, paidAt, lines }])
}

type Read = { type: string; amount: number; line: PayoutLine }

function readLine(record: CsvRecord): Result<Read, FileFault> {
  const { cell: of, wrong } = record
  const cents = of('Amount cents')
  if (!/^-?\d{1,12}$/.test(cents)) return wrong('Amount cents', 'is not a whole number')
  const side = of('Creditdebit').toUpperCase()
  if (side !== 'C' && side !== 'D') return wrong('Creditdebit', 'is neither C nor D')
  const isOpen = of('Completed date/time') === '' && of('Created date') !== ''
  const time = timeIn(record, isOpen ? 'Created date' : 'Completed date/time')
  if (!time.ok) return time
  const amount = (side === 'C' ? 1 : -1) * Math.abs(Number(cents))
  const type = of('Payment type').toLowerCase()
  const sub = of('Sub description')
  const kind = kindOf(`${type} ${sub.toLowerCase()}`, amount)
  const money = kind === 'fee' ? { gross: 0, fee: -amount } : { gross: amount, fee: 0 }
  const order = of('Order ID')
  return ok({
    type,
    amount,
    line: {
      kind,
      at: time.value,
      // The ids of orders, and those of captured parts, begin with the id of the job.
      job: parseJobId(jobIn(order)),
      reference: of('PSP ID') || null,
      // An order lists the transactions of its refunds. A chargeback that was won in part has another amount there.
      transfer: (kind === 'refund' && of('PSP ID')) || undefined,
      orderNumber: order || null,
      ...money,
      text: [of('Payment type'), sub || of('Mt description')].filter(Boolean).join(': '),
    },
  })
}

/** The kinds by words in the payment type and the description. The first match counts. */
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
