import { isCurrency } from '../../contract/money.ts'
import { parseJobId } from '../../contract/ids.ts'
import { type Result, ok } from '../../contract/result.ts'
import { type CsvRecord, readCsv, readSigned } from '../csv.ts'
import {
  type FileFault,
  type LineKind,
  type PayoutLine,
  type PayoutWithLines,
  isPayoutId,
} from '../payouts.ts'
import { timeIn } from '../report-time.ts'

/**
 * The record types of Adyen's settlement details report. Any other type is a correction.
 * https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report
 */
const KINDS: ReadonlyMap<string, LineKind> = new Map([
  ['Settled', 'payment'],
  ['SettledBulk', 'payment'],
  ['Refunded', 'refund'],
  ['RefundedReversed', 'reversal'],
  ['Chargeback', 'chargeback'],
  ['SecondChargeback', 'chargeback'],
  ['ChargebackReversed', 'reversal'],
  ['Fee', 'fee'],
  ['InvoiceDeduction', 'fee'],
  ['MiscCosts', 'fee'],
])
/** The payout itself: the sum of the other lines of its batch. */
const PAYOUT = 'MerchantPayout'

const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'] as const

/** The columns of every report. Those of the fees and of the merchant account may be missing. */
const NEEDED = (
  'Type,Psp Reference,Merchant Reference,Creation Date,TimeZone,Gross Currency,' +
  'Gross Debit (GC),Gross Credit (GC),Net Currency,Net Debit (NC),Net Credit (NC),Batch Number'
).split(',')

/**
 * Reads a settlement details report in CSV: a payout for each merchant account, batch and currency. Each
 * merchant account numbers its own batches, and a company's report has several merchant accounts.
 */
export function readSettlementDetails(text: string): Result<PayoutWithLines[], FileFault> {
  const payouts = new Map<string, PayoutWithLines>()
  let isNamed: boolean | null = null
  for (const record of readCsv(text, NEEDED)) {
    if (!record.ok) return record
    const read = readLine(record.value)
    if (!read.ok) return read
    const { cell, wrong } = record.value
    const merchant = cell('Merchant Account')
    isNamed ??= merchant !== ''
    if (isNamed !== (merchant !== '')) return wrong('Merchant Account', 'only some records have one')
    const currency = cell('Net Currency')
    const id = `batch-${cell('Batch Number')}-${currency}`
    const key = `${id} ${merchant}`
    const { at, gross, fee } = read.value
    const begun = { id, currency, amount: 0, paidAt: at, lines: [], ...(merchant ? { merchant } : {}) }
    const known: PayoutWithLines = payouts.get(key) ?? begun
    payouts.set(key, known)
    if (cell('Type') === PAYOUT) {
      known.amount -= gross - fee
      known.paidAt = at
    } else known.lines.push(read.value)
  }
  return ok([...payouts.values()])
}

function readLine(record: CsvRecord): Result<PayoutLine, FileFault> {
  const { cell: of, wrong } = record
  if (!of('Type')) return wrong('Type', 'is missing')
  const batch = of('Batch Number')
  if (!isPayoutId(`batch-${batch}`) || batch === '')
    return wrong('Batch Number', 'is not the number of a batch')
  const currency = of('Net Currency')
  if (!isCurrency(currency)) return wrong('Net Currency', `${currency} is not a currency`)
  const time = timeIn(record, 'Creation Date', 'TimeZone')
  if (!time.ok) return time
  const amounts = new Map<string, number>()
  for (const column of ['Net Debit (NC)', 'Net Credit (NC)', ...FEES]) {
    const amount = readSigned(of(column), currency)
    if (amount === null) return wrong(column, `is not an amount of ${currency}`)
    amounts.set(column, amount)
  }
  const sum = (...columns: string[]) => columns.reduce((all, one) => all + (amounts.get(one) ?? 0), 0)
  const net = sum('Net Credit (NC)') - sum('Net Debit (NC)')
  const type = of('Type')
  const kind = KINDS.get(type) ?? 'correction'
  const fee = kind === 'fee' ? -net : sum(...FEES)
  const gross = net + fee
  const shown = grossOf(record, currency)
  if (shown === null) return wrong('Gross Credit (GC)', 'is not an amount')
  if (kind !== 'fee' && shown !== undefined && shown !== gross && type !== PAYOUT)
    return wrong('Net Credit (NC)', 'is not the gross amount less the fees')
  return ok({
    kind,
    at: time.value,
    job: parseJobId(of('Merchant Reference')),
    reference: of('Psp Reference') || null,
    orderNumber: of('Merchant Reference') || null,
    gross,
    fee,
    text: [type, of('Payment Method'), of('Modification Reference')].filter(Boolean).join(' '),
  })
}

/** Returns the gross amount; undefined if the report has none in the payout's currency. */
function grossOf({ cell }: CsvRecord, currency: string): number | null | undefined {
  const [debit, credit] = [cell('Gross Debit (GC)'), cell('Gross Credit (GC)')]
  if (cell('Gross Currency') !== currency || (debit === '' && credit === '')) return undefined
  const [less, more] = [readSigned(debit, currency), readSigned(credit, currency)]
  return less === null || more === null ? null : more - less
}
