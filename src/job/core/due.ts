import type { Status } from '../../contract/values.ts'
import { heldBy } from './payment.ts'
import { type State, heldOf, isPending, paidOf, tipOf } from './state.ts'

/*
 * What an order asks for, and how much of that there is. No other file compares money with the amount of
 * an order. All amounts are minor units.
 */

/** Returns what would still be due if `paid` were paid. */
export function dueAfter({ order }: Pick<State, 'order'>, paid: number): number {
  return Math.max(order.amount - paid, 0)
}

/** Returns by how much `money` exceeds the order's amount. */
export function surplusIn({ order }: Pick<State, 'order'>, money: number): number {
  return Math.max(money - order.amount, 0)
}

/** Returns what is still due: nothing once the point of sale has given up what it did not capture. */
export function dueOf(state: State): number {
  return isRestGivenUp(state) ? 0 : dueAfter(state, paidOf(state))
}

/** Returns what is due by a row of the index, as `dueOf` does by the state: nothing once the job is paid. */
export function dueIn({ status, amount, paid }: { status: Status; amount: number; paid: number }): number {
  return status === 'SUCCESS' ? 0 : Math.max(amount - paid, 0)
}

/** Returns how much more was paid than the order asks for, not counting a tip. */
export function surplusOf(state: State): number {
  return surplusIn(state, paidOf(state) - tipOf(state))
}

/** Returns whether the point of sale captured a part, and the PSP does not hold the rest any more. */
function isRestGivenUp(state: State): boolean {
  const { payments, standing } = state
  if (paidOf(state) === 0) return false
  return standing.is === 'paid' || (heldOf(state).released > 0 && payments.every((one) => heldBy(one) === 0))
}

/**
 * Returns how much reserved money the order can use: what is due or, once the job is paid, what a capture
 * took out again by failing after all.
 */
export function usableOf(state: State): number {
  if (state.standing.is !== 'paid') return dueOf(state)
  return state.payments.reduce((sum, { authorized, lost }) => sum + (authorized > 0 ? lost : 0), 0)
}

/** Returns the amount that the point of sale gave up by releasing it. */
export function releasedOf(state: State): number {
  const { released } = heldOf(state)
  return isPending(state) ? released : Math.min(released, dueAfter(state, paidOf(state)))
}
