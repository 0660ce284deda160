import type { FactOf } from './facts.ts'
import { freshMoves } from './ledger.ts'
import type { Payment } from './payment.ts'
import { type State, notifiedPayment } from './state.ts'

/*
 * When does a PSP get a 200 for a notification? Once the job has what it says, and a question that begins
 * after it came will have an answer. Otherwise it gets a 503, and notifies again.
 *
 * | a notification                                         | the hub                    | the PSP gets        |
 * | ------------------------------------------------------ | -------------------------- | ------------------- |
 * | whose question the PSP answers                         | records what is new        | 200                 |
 * | that comes before a prompted question has begun        | has nothing to add         | 200                 |
 * | that comes while a question is under way, or too soon  | keeps it, which prompts    | 200                 |
 * | that is signed, while the PSP does not answer          | keeps it, which prompts    | 200                 |
 * | that is not signed, while the PSP does not answer      | asks only if prompted      | 200 if it will ask  |
 * | of a payment that the job does not have                | looks for the payment      | 200 once it is there |
 * | of a terminal, signed, of a payment that is not there  | asks the terminal itself   | 200                 |
 */

/** A notification, and when (ms) the newest question about its payment began, answered or not. */
export type Notice = { notified: FactOf<'notified'>; began?: number }

/** Returns whether a notification only says that something changed: any stranger can send that. */
export function isBare({ payment, moves, claims }: FactOf<'notified'>): boolean {
  return payment === undefined && moves === undefined && claims === undefined
}

/**
 * Returns whether the journal should keep a notification: it says something new, or no question that begins
 * after it came is due yet. The answer to a question that began before it may be older than its news.
 */
export function isNews(state: State, { notified, began = 0 }: Notice): boolean {
  const known = notifiedPayment(state, notified)
  if (!known) return false
  const { prompted } = known.asks
  const mayEndPrompt = prompted !== null && prompted.since <= began && began < notified.came
  return prompted === null || mayEndPrompt || isTelling(state, notified, state.standing.is === 'paid')
}

/**
 * Returns whether the PSP need not repeat a notification, although its API has not answered the question:
 * the journal has what it says, or the hub asks again by itself.
 */
export function isTaken(state: State, notified: FactOf<'notified'>, isSigned: boolean): boolean {
  const known = notifiedPayment(state, notified)
  if (known) return !isBare(notified) || known.asks.prompted !== null
  // A PSP that signs may send nothing else while it repeats one.
  return state.order.terminal !== undefined && isSigned && isBare(notified)
}

/**
 * Returns whether a notification says something that neither the PSP's API nor the job says yet.
 * A claim says nothing more once it has prompted a question.
 */
export function isTelling(state: State, notified: FactOf<'notified'>, isPaid: boolean): boolean {
  const { payment, moves = [], claims } = notified
  const known = notifiedPayment(state, notified)
  if (!known) return false
  const { prompted } = known.asks
  const isClaimKnown = claims === 'SUCCESS' ? isPaid || prompted?.isPaid === true : prompted !== null
  const isClaim = claims !== undefined && !isClaimKnown
  const isPayment = payment !== undefined && payment !== known.other && !isMoveOf(known, payment)
  return isPayment || freshMoves(moves, known, state.order).length > 0 || isClaim
}

function isMoveOf({ moves }: Payment, reference: string): boolean {
  return moves.some((move) => move.reference === reference)
}
