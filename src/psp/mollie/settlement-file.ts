import { isCurrency } from '../../contract/money.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { type CsvRecord, readCsv, readSigned } from '../csv.ts'
import type { FileFault, LineKind, PayoutLine, PayoutWithLines } from '../payouts.ts'

/** The kind of a line, by the first letters of Mollie's id. */
const KINDS: Readonly<Record<string, LineKind>> = {
  tr: 'payment',
  cpt: 'payment',
  re: 'refund',
  chb: 'chargeback',
}

/**
 * Reads a settlement in CSV, as Mollie's dashboard exports it in English: a payout for each
 * settlement reference. The file does not tell what was paid out, so that is what its lines come
 * to. https://docs.mollie.com/docs/settlement-report
 */
export function readSettlementFile(text: string): Result<PayoutWithLines[], FileFault> {
  const payouts = new Map<string, PayoutWithLines>()
  for (const record of readCsv(text)) {
    if (!record.ok) return record
    const read = readLine(record.value)
    if (!read.ok) return read
    const { line, currency } = read.value
    const id = record.value.cell('Settlement reference')
    const known = payouts.get(id) ?? { id, currency, amount: 0, paidAt: 0, lines: [] }
    if (known.currency !== currency)
      return refuse({
        line: record.value.line,
        column: 'Settlement currency',
        why: `is not ${known.currency}`,
      })
    known.amount += line.gross - line.fee
    known.paidAt = Math.max(known.paidAt, line.at)
    known.lines.push(line)
    payouts.set(id, known)
  }
  return ok([...payouts.values()])
}

function readLine(record: CsvRecord): Result<{ line: PayoutLine; currency: string }, FileFault> {
  const wrong = (column: string, why: string) => refuse({ line: record.line, column, why })
  const of = record.cell
  for (const column of ['Date', 'Settlement reference', 'Settlement currency', 'Settlement amount'])
    if (!of(column)) return wrong(column, 'is missing')
  const currency = of('Settlement currency')
  if (!isCurrency(currency)) return wrong('Settlement currency', `${currency} is no currency`)
  const amount = readSigned(of('Settlement amount'), currency)
  if (amount === null) return wrong('Settlement amount', `is no amount of ${currency}`)
  const at = Date.parse(`${of('Date').replace(' ', 'T')}${of('Date').length > 10 ? 'Z' : ''}`)
  if (Number.isNaN(at)) return wrong('Date', 'is no time such as 2026-01-31 10:00:00')
  const [id, description] = [of('ID'), of('Description')]
  // Costs have no id: "Withheld transaction fees", with the invoice that they are on.
  const kind = id === '' && amount < 0 ? 'fee' : (KINDS[id.split('_', 1)[0] ?? ''] ?? 'correction')
  const money = kind === 'fee' ? { gross: 0, fee: -amount } : { gross: amount, fee: 0 }
  const order = kind === 'payment' || kind === 'refund' ? orderIn(description) : null
  return ok({
    currency,
    line: {
      kind,
      at,
      job: null,
      reference: id || null,
      orderNumber: order,
      ...money,
      text: description || id,
    },
  })
}

/** The order number in the description that the hub gives a payment, and a refund of it. */
function orderIn(description: string): string | null {
  return description.replace(/^Refund of order /, '') || null
}
