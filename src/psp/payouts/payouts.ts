import * as v from 'valibot'
import { PayoutPart } from '../../contract/books.ts'
import type { Result } from '../../contract/result.ts'
import type { Unavailable } from '../answer.ts'

/** The kinds of lines of a payout. `correction`: anything else that the PSP adds or takes. */
export type LineKind = 'payment' | 'refund' | 'chargeback' | 'reversal' | 'fee' | 'correction'

/**
 * One line of a payout, from the report of any PSP. Amounts are minor units of the payout's currency:
 * `gross` moves to the shop (or away from it, below zero), `fee` is what the PSP keeps, and
 * `gross - fee` is the line's share of the payout. `job` is the hub's id, which the PSP got with the
 * payment; `reference` is the PSP's own, and `transfer` its id of what the line is about: a refund, a
 * chargeback or a capture, as the PSP lists or signs it.
 */
export type PayoutLine = {
  kind: LineKind
  /** When it happened at the PSP (ms). */
  at: number
  job: string | null
  reference: string | null
  transfer?: string | undefined
  orderNumber: string | null
  gross: number
  fee: number
  text: string
  /** True for an earlier payout that the bank gave back, so that the PSP pays it out again. */
  isReturn?: boolean | undefined
}

/** A payout of a PSP. Its `id` is the same in each report. `paidAt` is in ms. */
export type Payout = { id: string; currency: string; amount: number; paidAt: number }

/**
 * A payout as an API lists it. `key`: the API's name for it, which may differ from its `id`.
 * `withoutLines`: the API does not show its lines.
 */
export type ListedPayout = Payout & { key: string; withoutLines?: boolean }

/** A payout that the books cannot take, and why. */
export type LeftOut = { payout: string; why: string }

/** A page of what an account paid out, newest first. `returned`: payouts that the bank gave back. */
export type PayoutPage = {
  payouts: ListedPayout[]
  leftOut?: LeftOut[]
  returned?: string[]
  next: string | null
}

/** Reads listed payouts. For a payout that the books cannot take, `read` returns the reason. */
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

/** A PSP's API for payouts. `after`: the `next` of the previous page. */
export type PayoutSource = {
  payouts(after: string | null): Promise<Result<PayoutPage, Unavailable>>
  lines(payout: ListedPayout, after: string | null): Promise<Result<LinePage, Unavailable>>
}

/** Why a file cannot be read, and where: the line, counted from one, and the column. */
export type FileFault = { line: number; column: string; why: string }

/**
 * A payout with all its lines, from a file. `merchant`: the PSP's name of the account that was paid,
 * if the file has it.
 */
export type PayoutWithLines = Payout & { merchant?: string; lines: PayoutLine[] }

/** Returns whether the books can take a payout with this id. */
export function isPayoutId(id: string): boolean {
  return v.is(PayoutPart.entries.id, id)
}

/** The most lines of a part: booking each may be a call to the object of its job. */
const PART = 400

/** Splits a payout into the parts that are booked one by one. A payout without lines is one part. */
export function payoutParts({ lines, ...payout }: PayoutWithLines) {
  const count = Math.max(1, Math.ceil(lines.length / PART))
  return Array.from({ length: count }, (_, at) => ({
    ...payout,
    from: at * PART + 1,
    total: lines.length,
    lines: lines.slice(at * PART, (at + 1) * PART),
  }))
}
