import * as v from 'valibot'
import { PayoutPart } from '../contract/books.ts'
import type { Result } from '../contract/result.ts'
import type { Unavailable } from './answer.ts'

/** The kinds of lines of a payout. `correction`: all else that the PSP adds or takes. */
export type LineKind = 'payment' | 'refund' | 'chargeback' | 'reversal' | 'fee' | 'correction'

/**
 * One line of a payout, as every PSP's report is read. Amounts are minor units of the payout's
 * currency: `gross` moves to the shop (or from it, below zero), `fee` is what the PSP keeps, and
 * `gross - fee` is what the payout has of it. `job` is the hub's id, which the PSP was given with
 * the payment; `reference` is the PSP's own.
 */
export type PayoutLine = {
  kind: LineKind
  /** When it happened at the PSP (ms). */
  at: number
  job: string | null
  reference: string | null
  orderNumber: string | null
  gross: number
  fee: number
  text: string
}

/** A payout of a PSP. Its `id` is the same in each report. `paidAt` is in ms. */
export type Payout = { id: string; currency: string; amount: number; paidAt: number }

/**
 * A payout as an API lists it. `key` is what the API calls it, where that is not its `id`.
 * `withoutLines`: the API does not tell what is in it.
 */
export type ListedPayout = Payout & { key: string; withoutLines?: boolean }

/** A payout that the hub cannot book, and why. */
export type LeftOut = { payout: string; why: string }

/** A page of what an account paid out, newest first. */
export type PayoutPage = { payouts: ListedPayout[]; leftOut?: LeftOut[]; next: string | null }

/** Reads listed payouts. `read` returns a text for one that cannot be booked: why. */
export function listed<Item extends { id: string }>(
  items: readonly Item[],
  read: (item: Item) => ListedPayout | string,
): Omit<PayoutPage, 'next'> {
  const [payouts, leftOut]: [ListedPayout[], LeftOut[]] = [[], []]
  for (const item of items) {
    const found = read(item)
    if (typeof found === 'string') leftOut.push({ payout: item.id, why: found })
    else payouts.push(found)
  }
  return { payouts, ...(leftOut.length > 0 ? { leftOut } : {}) }
}

export type LinePage = { lines: PayoutLine[]; next: string | null }

/** An API that tells payouts. Pages go on after `next` of the one before. */
export type PayoutSource = {
  payouts(after: string | null): Promise<Result<PayoutPage, Unavailable>>
  lines(payout: ListedPayout, after: string | null): Promise<Result<LinePage, Unavailable>>
}

/** Where a file cannot be read: the line and the column, counted from one, and why. */
export type FileFault = { line: number; column: string; why: string }

/**
 * A payout with all its lines, as a file has it. `merchant`: the PSP's name of the account that was
 * paid, where the file tells it.
 */
export type PayoutWithLines = Payout & { merchant?: string; lines: PayoutLine[] }

/** Returns whether the books can have a payout of this id. */
export function isPayoutId(id: string): boolean {
  return v.is(PayoutPart.entries.id, id)
}

/** Lines that are booked at once: each may be a call to the object of its job. */
const PART = 400

/** A payout in parts. One without lines is a part too. */
export function partsOf({ lines, ...payout }: PayoutWithLines) {
  const count = Math.max(1, Math.ceil(lines.length / PART))
  return Array.from({ length: count }, (_, at) => ({
    ...payout,
    from: at * PART + 1,
    total: lines.length,
    lines: lines.slice(at * PART, (at + 1) * PART),
  }))
}
