import type { Card, Progress } from '../../contract/terminals.ts'
import type { MoneyMove, Way } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'

export type Where = { account: string; reference: string }

/**
 * The money of one payment (minor units): the PSP's own totals or, if its API has none, the sum of the
 * moves in notifications. `authorized` was reserved for a later capture; `paid` was captured of it, or was
 * paid to a PSP that captures by itself; `released` was let go. `refunded` is all that went back. `lost` is
 * the part of it that was never the merchant's after all: the PSP cancelled a payment after it had counted
 * as paid, or a capture failed.
 */
export type Ledger = {
  authorized: number
  paid: number
  released: number
  refunded: number
  lost: number
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
    /** When the hub last learnt that `refunded` fell: a refund failed. 0 for never. */
    fellAt: number
    /** The parts of `refunded`, and of what was captured, that the hub did not ask for. */
    foreign: number
    foreignCaptured: number
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

/** Returns the instructions about one payment. */
export function about<One extends Where>(all: readonly One[], { account, reference }: Where): One[] {
  return all.filter((one) => one.account === account && one.reference === reference)
}

/** Sums the instructions that have not failed (minor units). */
export function committed(instructions: readonly Instruction[]): number {
  return instructions.filter(({ state }) => state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * Returns how much of a PSP's total others than the hub have captured or refunded (minor units). The
 * total may or may not include an instruction that is unsettled, or that was settled after the hub asked
 * for the total: the earlier amount then stays if it is higher.
 */
function byOthers(
  total: number,
  before: number,
  instructions: readonly Instruction[],
  { answeredAt }: Asks,
): number {
  const others = Math.max(total - committed(instructions), 0)
  const isUnsure = instructions.some((one) => isUnderWay(one) || one.answeredAt > answeredAt)
  return isUnsure ? Math.max(before, others) : others
}

/** Counts again what others have captured and refunded. */
export function withOthers(
  payment: Payment,
  { refunds, captures }: { refunds: readonly Instruction[]; captures: readonly Instruction[] },
): Payment {
  const { paid, lost, refunded, foreign, foreignCaptured, asks } = payment
  const made = about(captures, payment).filter(({ kind }) => kind === 'capture')
  return {
    ...payment,
    foreign: byOthers(refunded, foreign, about(refunds, payment), asks),
    foreignCaptured: byOthers(paid - lost, foreignCaptured, made, asks),
  }
}

/** Returns what the PSP still holds of a payment for a capture (minor units). */
export function heldBy(payment: Ledger): number {
  const { authorized, paid, lost, released } = payment
  return Math.max(authorized - (paid - lost) - released, 0)
}

/** Returns a payment about which the hub asks from now (ms) on. */
export function withPrompt(payment: Payment, now: number): Payment {
  const isPaid = payment.asks.prompted?.isPaid === true
  return { ...payment, asks: { ...payment.asks, prompted: { since: now, tries: 0, isPaid } } }
}
