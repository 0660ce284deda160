import type { Finding, Post } from '../contract/books.ts'
import type { LineKind, PayoutLine } from '../psp/payouts.ts'

/** The hub's record of a line's payment. Amounts are minor units of the job's currency. */
export type Known = { currency: string; paid: number; refunded: number; chargedBack: number }

/**
 * A fee of a payment above five per cent and half a unit of the currency's hundredths is looked at.
 * Cards and wallets cost less, and a wrong contract shows here.
 */
const [USUAL_SHARE, USUAL_PART] = [0.05, 50]

/** Returns why the hub's record does not explain a line; null where it does. */
export function findingOf(line: PayoutLine, currency: string, known: Known | null): Finding | null {
  const { kind, gross, fee } = line
  if (kind === 'fee' || kind === 'correction') return null
  if (known === null) return 'unknown'
  // The PSP pays out in another currency than the customer paid in: amounts cannot be compared.
  const isComparable = known.currency === currency
  switch (kind) {
    case 'payment':
      if (isComparable && gross !== known.paid) return 'amount-differs'
      return fee > gross * USUAL_SHARE + USUAL_PART ? 'fee-unusual' : null
    case 'refund':
      return isComparable && -gross > known.refunded ? 'refund-missing' : null
    case 'chargeback':
      return isComparable && known.chargedBack === 0 ? 'amount-differs' : null
    case 'reversal':
      return null
  }
}

/** The sums of a journal's lines, by kind. */
export type Sums = { kind: LineKind; gross: number; fee: number }[]

const POST_OF: Readonly<Record<LineKind, Post>> = {
  payment: 'payments',
  refund: 'refunds',
  chargeback: 'chargebacks',
  reversal: 'chargebacks',
  fee: 'fees',
  correction: 'corrections',
}

/**
 * The postings of what was paid out and of what its lines come to: debits are above zero, credits
 * below, and together they are zero. What the lines do not explain is a posting of its own.
 */
export function postingsOf(paidOut: number, sums: Sums): { post: Post; amount: number }[] {
  const amounts = new Map<Post, number>([['bank', paidOut]])
  const add = (post: Post, amount: number) => amounts.set(post, (amounts.get(post) ?? 0) + amount)
  for (const { kind, gross, fee } of sums) {
    add(POST_OF[kind], -gross)
    add('fees', fee)
  }
  add('unexplained', -[...amounts.values()].reduce((all, one) => all + one, 0))
  return [...amounts].flatMap(([post, amount]) => (amount === 0 ? [] : [{ post, amount }]))
}
