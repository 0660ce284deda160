import type { Card, Progress } from '../../contract/terminals.ts'
import type { MoneyMove, Way } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import type { Lists } from './transfers.ts'

export type Where = { account: string; reference: string }

/**
 * The money of one payment (minor units): the sums of the transfers that its PSP lists, else its totals or, if
 * its API has none, the sums of the moves in notifications.
 */
export type Ledger = {
  /** Reserved for a later capture. */
  authorized: number
  /** Captured of that, or paid to a PSP that captures by itself. Once the job is paid, it never falls. */
  paid: number
  /** The part of `paid` that was never the merchant's: the payment was cancelled, or a capture failed after all. */
  lost: number
  /** The part of `authorized` that was let go. */
  released: number
  refunded: number
  chargedBack: number
}

/** A payment at an account, as its PSP said last. */
export type Payment = Where &
  Ledger &
  Way & {
    /** When the PSP ends the payment by itself; if the PSP does not say, after a day. */
    expiresAt: number
    /** When the money was reserved, and until when the PSP holds it; 0 if it does not say. */
    authorizedAt: number
    captureBefore: number
    /** Several parts can be captured, even if the PSP usually captures once. */
    inParts: boolean
    /** The parts of `refunded`, and of what was captured, that the hub did not ask for. */
    foreign: number
    foreignCaptured: number
    /** What the PSP lists, each transfer once; null as long as no answer had lists. */
    transfers: Lists | null
    /** The PSP says that this payment cannot be paid any more. */
    over: boolean
    /** The moves of money in notifications, each once. */
    moves: MoneyMove[]
    /** A second reference of the payment, which some PSPs need for refunds. */
    other: string | null
    /** How far the customer is at a terminal; null on a page. */
    progress: Progress | null
    /** The part of `paid` that is a tip, on top of the order (minor units). */
    tip: number
    card: Card | null
    asks: Asks
  }

/** The hub's questions about a payment, and what came of them. */
export type Asks = {
  /** When the hub asked the question whose answer counts; 0 for none. */
  answeredAt: number
  /** When the hub last asked, answered or not. */
  lastAt: number
  notBefore: number
  unanswered: (Pick<FactOf<'unanswered'>, 'how' | 'message'> & { since: number; count: number }) | null
  /** Why the payment failed, and since when (ms) its terminal says so, while money may still come. */
  failure: { at: number; why: string } | null
  /** Set while news of the payment calls for a question. `isPaid`: the PSP signed "paid". */
  prompted: { since: number; tries: number; isPaid: boolean } | null
  /** How many bare notifications (`isBare`) prompted a question, and when (ms) the last came. */
  bare: { count: number; at: number }
  /** Counts scheduled questions after the time to pay; `countedAt`: when the last was. */
  atEnd: number
  countedAt: number
}

/** A capture, a release or a refund that the hub wants, or wanted, of a PSP. */
export type Instruction = Omit<FactOf<'instructed'>, 'is'> & {
  at: number
  /** How often the hub has asked the PSP for it, and when last. */
  round: number
  askedAt: number
  /**
   * `waiting`: the PSP has not done it, and the hub asks again. `asking`: no answer yet. `pending`: the
   * PSP took it. `done`: the money moved. `failed`: it did not, or came back.
   */
  state: 'waiting' | 'asking' | 'pending' | 'done' | 'failed'
  pspId: string | null
  error: string | null
  lastCheckAt: number
  /** When an answer of the PSP last changed `state`; 0 for never. */
  answeredAt: number
  /** The PSP never saw the instruction, because it refused the account. */
  unseen?: true
  /** The PSP did not say in time what became of the instruction, so the hub gave it up. */
  overdue?: true
}

export function isUnderWay({ state }: Pick<Instruction, 'state'>): boolean {
  return state !== 'done' && state !== 'failed'
}

export function ofKind(
  { instructions }: { instructions: readonly Instruction[] },
  ...kinds: readonly Instruction['kind'][]
): Instruction[] {
  return instructions.filter(({ kind }) => kinds.includes(kind))
}

/** The kinds of instructions about reserved money. */
export const OF_RESERVED = ['capture', 'release'] as const

/** Returns the instructions about one payment. */
export function about<One extends Where>(all: readonly One[], { account, reference }: Where): One[] {
  return all.filter((one) => one.account === account && one.reference === reference)
}

/** Returns a payment about which the hub asks from now (ms) on. */
export function withPrompt(payment: Payment, now: number): Payment {
  const isPaid = payment.asks.prompted?.isPaid === true
  return { ...payment, asks: { ...payment.asks, prompted: { since: now, tries: 0, isPaid } } }
}
