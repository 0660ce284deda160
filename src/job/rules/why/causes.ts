import type { Job } from '../job.ts'
import { formatAmount } from '../../../contract/money.ts'

/** Who has to act before a payment goes on. `nobody`: it has ended, and all is told. */
export type Move = 'customer' | 'psp' | 'shop' | 'operator' | 'hub' | 'nobody'

/**
 * Every answer to why a payment stands as it does, and whose move it is then. A name is stable: programs rely on it.
 * docs/operating/pending.md says what to do.
 */
export const CAUSES = {
  // The payment is PENDING.
  'customer-not-back': 'customer',
  'customer-came-back': 'customer',
  'part-is-due': 'customer',
  'money-underway': 'psp',
  'money-reserved': 'hub',
  'psp-silent-at-announcement': 'psp',
  'psp-silent-at-pulls': 'psp',
  'psp-end-unknown': 'psp',
  'psp-refuses-credentials': 'operator',
  'psp-knows-no-payment': 'operator',
  // It has ended, and the shop was told.
  paid: 'nobody',
  'psp-refused-order': 'shop',
  'payment-failed': 'nobody',
  'cancelled-by-customer': 'nobody',
  'cancelled-by-shop': 'nobody',
  'cancelled-by-operator': 'nobody',
  expired: 'nobody',
  'expired-unannounced': 'operator',
  'expired-unconfirmed': 'operator',
  // The shop was not told.
  'report-due': 'hub',
  'report-lost': 'hub',
  'receiver-answers-error': 'shop',
  'receiver-unreachable': 'shop',
  'receiver-too-slow': 'shop',
  'report-not-tried': 'operator',
  'report-given-up': 'shop',
  'report-unwanted': 'shop',
  'report-address-refused': 'shop',
  // The money is not as it should be.
  'paid-twice': 'operator',
  'paid-at-other-account': 'nobody',
  'charged-back': 'shop',
  'refund-failed': 'operator',
  overpaid: 'operator',
  'paid-in-part': 'operator',
  'paid-late': 'shop',
  'refund-pending': 'psp',
  refunded: 'nobody',
} as const satisfies Record<string, Move>
export type Cause = keyof typeof CAUSES

/** What is to be done where that is all. */
export const NOTHING_TO_DO = 'There is nothing to do.'

/** One thing that is so: what happened, and what to do about it, in sentences. Times in them are ISO 8601 in UTC, to the second. */
export type Finding = { cause: Cause; happened: string; todo: string }

/** A time (ms) in a sentence. */
export function at(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** Minor units in a sentence. */
export function money({ order }: Job, amount: number): string {
  return `${order.currency} ${formatAmount(amount, order.currency)}`
}

/** A text of somebody else as a sentence of its own; empty for none. */
export function quoted(who: string, words: string | null): string {
  return words ? ` ${who}: "${words}"` : ''
}

export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
