import type { Finding, Post } from '../contract/books.ts'
import { decimalsOf } from '../contract/money.ts'
import type { LineKind, PayoutLine } from '../psp/payouts/payouts.ts'

/**
 * A fee is unusual above five per cent of the payment plus half a unit of the currency (50 units, if
 * it has no decimals). Cards and wallets cost less, so a wrong contract shows here.
 */
const USUAL_SHARE = 0.05
function usualPart(currency: string): number {
  return Math.max(50, 10 ** decimalsOf(currency) / 2)
}

/**
 * Returns why the hub's record does not explain a line, or null if it does. `explained`: what the
 * record has for the line; the line's gross amount if the record explains it.
 */
export function findingOf(
  { kind, gross, fee, isReturn }: PayoutLine,
  currency: string,
  known: { currency: string } | null,
  explained: number,
): Finding | null {
  if (isReturn) return 'payout-returned'
  if (kind === 'fee' || kind === 'correction') return null
  if (known === null) return 'unknown'
  // Amounts cannot be compared if the PSP pays out in a currency other than the customer's.
  if (known.currency === currency && explained !== gross)
    return kind === 'refund' && Math.abs(explained) < Math.abs(gross) ? 'refund-missing' : 'amount-differs'
  return kind === 'payment' && fee > Math.abs(gross) * USUAL_SHARE + usualPart(currency)
    ? 'fee-unusual'
    : null
}

type Sums = { kind: LineKind; gross: number; fee: number; finding?: Finding | null }[]

const POST_OF: Readonly<Record<LineKind, Post>> = {
  payment: 'payments',
  refund: 'refunds',
  chargeback: 'chargebacks',
  reversal: 'chargebacks',
  fee: 'fees',
  correction: 'corrections',
}

/**
 * Returns the postings of payouts and their lines. Debits are above zero, credits below, and the sum
 * is zero. Whatever the lines do not explain is a posting of its own, and so are lines of unknown payments. A
 * payout that the bank gave back leaves the bank.
 */
export function postingsOf(paidOut: number, sums: Sums): { post: Post; amount: number }[] {
  const amounts = new Map<Post, number>([['bank', paidOut]])
  const add = (post: Post, amount: number) => amounts.set(post, (amounts.get(post) ?? 0) + amount)
  for (const { kind, gross, fee, finding } of sums) {
    add(
      finding === 'unknown' ? 'unexplained' : finding === 'payout-returned' ? 'bank' : POST_OF[kind],
      -gross,
    )
    add('fees', fee)
  }
  add('unexplained', -[...amounts.values()].reduce((all, one) => all + one, 0))
  return [...amounts].flatMap(([post, amount]) => (amount === 0 ? [] : [{ post, amount }]))
}
