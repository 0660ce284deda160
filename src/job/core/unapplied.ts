import { dueAfter, surplusIn } from './due.ts'
import { allRefunds } from './ledger.ts'
import { type State, backOf, isPending, paidOf, tipOf } from './state.ts'

/** Returns what was paid of the order and has not gone back, nor is on its way back (minor units). */
function keptOf(state: State): number {
  return paidOf(state) - tipOf(state) - backOf(state).chargedBack - allRefunds(state)
}

/**
 * Returns the money (minor units) that the merchant has and that pays no order: a part of an order
 * that ended, more than was due, a second payment, or one that came after the end. It counts until it
 * is given back, until another job has collected the rest of the order, or until an operator says that
 * it is cleared.
 */
export function unappliedOf(state: State): number {
  if (isPending(state)) return 0
  const kept = keptOf(state)
  const { standing, late, alsoPaid, cleared } = state
  if (standing.is === 'paid' && !late) return surplusIn(state, kept - cleared)
  const isWhole = (money: number) => dueAfter(state, money) === 0 && surplusIn(state, money) === 0
  const isCollected = alsoPaid.some(({ paid }) => paid > 0 && isWhole(paid + kept))
  return isCollected ? 0 : Math.max(0, kept - cleared)
}
