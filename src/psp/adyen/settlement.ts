import { decimalsOf, isCurrency } from '../../contract/money.ts'
import { parseJobId } from '../../contract/ids.ts'
import { type Result, ok } from '../../contract/result.ts'
import { type CsvRecord, readCsv, readSigned } from '../payouts/csv.ts'
import {
  type FileFault,
  type LineKind,
  type PayoutLine,
  type PayoutWithLines,
  isPayoutId,
} from '../payouts/payouts.ts'
import { timeIn } from '../payouts/report-time.ts'
import { decimalsAt } from '../values.ts'
import { UNITS } from './tables.ts'

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
])
/** `Fee`, `MiscCosts`, and costs of a payment that come later, such as `PaymentCost` and `AuthorisationSchemeFee`. */
const COSTS = /(?:Fees?|Costs?|Commission|InvoiceDeduction)$/
/** A payout that the bank gave back, such as `BankInstructionReturned`. */
const RETURNS = /(?:BankInstruction|MerchantPayout|CompanyPayout)(?:Returned|Reversed)$/
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
  const sums = new Map<string, number>()
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
    const { exact, ...line } = read.value
    const { at } = line
    const begun = { id, currency, amount: 0, paidAt: at, lines: [], ...(merchant ? { merchant } : {}) }
    const known: PayoutWithLines = payouts.get(key) ?? begun
    payouts.set(key, known)
    if (cell('Type') === PAYOUT) {
      known.amount -= wholeOf(exact.net, currency)
      known.paidAt = at
    } else {
      const before = sums.get(key) ?? 0
      sums.set(key, before + exact.net)
      const net = wholeOf(before + exact.net, currency) - wholeOf(before, currency)
      // Where only the fee has a fraction, the fee is rounded, and the amount of the payment stays.
      const fee =
        wholeOf(exact.gross, currency) * finer(currency) === exact.gross
          ? wholeOf(exact.gross, currency) - net
          : wholeOf(exact.fee, currency)
      known.lines.push({ ...line, gross: net + fee, fee })
    }
  }
  return ok([...payouts.values()])
}

/** A line with its amounts in Adyen's unit, which may be finer than the hub's. */
type ExactLine = Omit<PayoutLine, 'gross' | 'fee'> & { exact: { net: number; gross: number; fee: number } }

/** Returns the parts that Adyen's unit makes of one of ISO 4217: `10.45` ISK is an amount in Adyen's reports. */
function finer(currency: string): number {
  return 10 ** Math.max(0, decimalsAt(currency, UNITS) - decimalsOf(currency))
}

/**
 * Rounds an amount in Adyen's unit to one of ISO 4217. A line is the difference of rounded sums, so that rounded
 * lines add up to the rounded payout.
 */
function wholeOf(exact: number, currency: string): number {
  return Math.round(exact / finer(currency))
}

/** Reads an amount with the decimals that Adyen has for its currency. */
function readExact(text: string, currency: string): number | null {
  return readSigned(text, currency, decimalsOf(currency) + Math.log10(finer(currency)))
}

function readLine(record: CsvRecord): Result<ExactLine, FileFault> {
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
    const amount = readExact(of(column), currency)
    if (amount === null) return wrong(column, `is not an amount of ${currency}`)
    amounts.set(column, amount)
  }
  const sum = (...columns: string[]) => columns.reduce((all, one) => all + (amounts.get(one) ?? 0), 0)
  const net = sum('Net Credit (NC)') - sum('Net Debit (NC)')
  const type = of('Type')
  const kind = KINDS.get(type) ?? (COSTS.test(type) ? 'fee' : 'correction')
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
    // Of what moved a payment's money this is "the 'modification' psp reference", as in its notification.
    transfer: of('Modification Reference') || undefined,
    orderNumber: of('Merchant Reference') || null,
    exact: { net, gross, fee },
    text: [type, of('Payment Method'), of('Modification Reference')].filter(Boolean).join(' '),
    isReturn: RETURNS.test(type),
  })
}

/** Returns the gross amount; undefined if the report has none in the payout's currency. */
function grossOf({ cell }: CsvRecord, currency: string): number | null | undefined {
  const [debit, credit] = [cell('Gross Debit (GC)'), cell('Gross Credit (GC)')]
  if (cell('Gross Currency') !== currency || (debit === '' && credit === '')) return undefined
  const [less, more] = [readExact(debit, currency), readExact(credit, currency)]
  return less === null || more === null ? null : more - less
}
