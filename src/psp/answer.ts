import type { Observation } from '../job/rules/job.ts'

/**
 * A PSP's answers, the same words for all of them. `refused` is its considered no (a 4xx: asking again changes
 * nothing); `unavailable` is no answer (a time-out, a 5xx, nonsense: ask again later), and never a failed payment.
 */
export type Refused = { is: 'refused'; message: string }
/**
 * `retryAfter`: the seconds that the PSP asks to be left alone for, where it does. `accountRefused`: the PSP answers, but not to
 * this account, whose key is wrong or blocked.
 */
export type Unavailable = {
  is: 'unavailable'
  message: string
  retryAfter?: number
  accountRefused?: true
}

/** The PSP holds a payment. `expiresAt` is in milliseconds, null when the PSP sets no end. */
export type Announced = { is: 'announced'; reference: string; checkoutUrl: string; expiresAt: number | null }
export type AnnounceAnswer = Announced | Refused | Unavailable

/**
 * How a payment stands. `expiresAt` (ms) is when the PSP ends an open payment by itself, null where it sets no end. `unknown`: the
 * PSP does not know the reference, perhaps not yet: that says nothing of the money.
 */
export type Observed = { is: 'observed'; expiresAt: number | null } & Observation
export type PullAnswer = Observed | { is: 'unknown' } | Unavailable
