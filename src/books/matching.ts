import type { Finding, Post } from '../contract/books.ts'
import type { LineKind, PayoutLine } from '../psp/payouts.ts'

/** The kinds of lines that the hub has a record of. */
type Recorded = Exclude<LineKind, 'fee' | 'correction'>

/**
 * The hub's record of a line's payment at the account: of each kind the amounts that moved, one by
 * one and together. They are minor units of the job's currency, below zero where money went away.
 */
export type Known = Readonly<Record<Recorded, readonly number[]>> & { currency: string }

/**
 * A fee of a payment above five per cent and half a unit of the currency's hundredths is looked at.
 * Cards and wallets cost less, and a wrong contract shows here.
 */
const [USUAL_SHARE, USUAL_PART] = [0.05, 50]

/**
 * Returns why the hub's record does not explain a line; null where it does. `together`: the gross
 * amount of this line and of all booked before it, of its payment and kind.
 */
export function findingOf(
  { kind, gross, fee }: PayoutLine,
  currency: string,
  known: Known | null,
  together: number,
): Finding | null {
  if (kind === 'fee' || kind === 'correction') return null
  if (known === null) return 'unknown'
  // The PSP pays out in another currency than the customer paid in: amounts cannot be compared.
  if (known.currency === currency) {
    const most = Math.max(0, ...known[kind].map(Math.abs))
    if (Math.abs(together) > most) return kind === 'refund' ? 'refund-missing' : 'amount-differs'
    if (!known[kind].includes(gross)) return 'amount-differs'
  }
  return kind === 'payment' && fee > gross * USUAL_SHARE + USUAL_PART ? 'fee-unusual' : null
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
