import { isCurrency } from '../../contract/money.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type CsvRecord, readCsv, readSigned } from '../payouts/csv.ts'
import {
  type FileFault,
  type LineKind,
  type PayoutLine,
  type PayoutWithLines,
  isPayoutId,
} from '../payouts/payouts.ts'
import { timeIn } from '../payouts/report-time.ts'

/** The kind of a line, by the first letters of Mollie's id. */
const KINDS: Readonly<Record<string, LineKind>> = {
  tr: 'payment',
  cpt: 'payment',
  re: 'refund',
  chb: 'chargeback',
}

/** "Chargeback Reversals" and "Returned Refunds" have the id of what they reverse. */
const BACK: { readonly [Kind in LineKind]?: LineKind } = { refund: 'reversal', chargeback: 'reversal' }

const NEEDED = 'Settlement reference,Settlement currency,Settlement amount,Date,ID,Description'.split(',')

/**
 * Reads a settlement in CSV, as Mollie's dashboard exports it in English: a payout for each settlement
 * reference. The file does not have the amount of the payout, so that is the sum of its lines. Payments
 * that Mollie does not settle, such as those by PayPal, have no settlement amount and no line.
 * https://docs.mollie.com/docs/settlement-report
 */
export function readSettlementFile(text: string): Result<PayoutWithLines[], FileFault> {
  const payouts = new Map<string, PayoutWithLines>()
  for (const record of readCsv(text, NEEDED)) {
    if (!record.ok) return record
    const { cell, wrong } = record.value
    if (cell('Settlement amount') === '') continue
    const read = readLine(record.value)
    if (!read.ok) return read
    const line = read.value
    const [id, currency] = [cell('Settlement reference'), cell('Settlement currency')]
    const known = payouts.get(id) ?? { id, currency, amount: 0, paidAt: 0, lines: [] }
    if (known.currency !== currency) return wrong('Settlement currency', `is not ${known.currency}`)
    known.amount += line.gross - line.fee
    known.paidAt = Math.max(known.paidAt, line.at)
    known.lines.push(line)
    payouts.set(id, known)
  }
  if (payouts.size > 0) return ok([...payouts.values()])
  return refuse({
    line: 1,
    column: 'Settlement amount',
    why: 'is empty in every record: nothing was settled',
  })
}

function readLine(record: CsvRecord): Result<PayoutLine, FileFault> {
  const { cell: of, wrong } = record
  if (!isPayoutId(of('Settlement reference')))
    return wrong('Settlement reference', 'is not the reference of a settlement')
  const currency = of('Settlement currency')
  if (!isCurrency(currency)) return wrong('Settlement currency', `${currency} is not a currency`)
  const amount = readSigned(of('Settlement amount'), currency)
  if (amount === null) return wrong('Settlement amount', `is not an amount of ${currency}`)
  const time = timeIn(record, 'Date')
  if (!time.ok) return time
  const [id, description] = [of('ID'), of('Description')]
  // Costs have no id: "Withheld transaction fees", with their invoice.
  const named = KINDS[id.split('_', 1)[0] ?? ''] ?? 'correction'
  const kind = id === '' && amount < 0 ? 'fee' : amount > 0 ? (BACK[named] ?? named) : named
  const money = kind === 'fee' ? { gross: 0, fee: -amount } : { gross: amount, fee: 0 }
  const order = kind === 'fee' || kind === 'correction' ? null : orderIn(id, description)
  return ok({
    kind,
    at: time.value,
    job: null,
    reference: id || null,
    transfer: id || undefined,
    orderNumber: order,
    ...money,
    text: description || id,
  })
}

/** Returns the order number in the description: that of the payment, or the hub's of a refund or a capture. */
function orderIn(id: string, description: string): string | null {
  return (
    description.replace(id.startsWith('cpt_') ? /^Order / : /^(?:Refund|Chargeback) of order /, '') || null
  )
}
