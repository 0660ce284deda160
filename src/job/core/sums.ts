import type { Figure } from '../../contract/money-figures.ts'
import { recordOf } from '../../contract/record-of.ts'
import { backOf, dueOf, heldOf, paidOf, releasedOf, tipOf, unappliedOf } from './money.ts'
import type { State } from './state.ts'

/** The sum behind each figure (minor units). */
export const SUMS: Readonly<Record<Figure, (state: State) => number>> = {
  due: dueOf,
  paid: paidOf,
  tip: tipOf,
  authorized: (state) => heldOf(state).authorized,
  released: releasedOf,
  unapplied: unappliedOf,
  refunded: (state) => backOf(state).refunded,
  chargedBack: (state) => backOf(state).chargedBack,
}

export function sumsOf<Name extends Figure>(state: State, names: readonly Name[]): Record<Name, number> {
  return recordOf(names, (name) => SUMS[name](state))
}

/** Returns a figure as the trace has it: there, released money counts at once, even if nothing is given up yet. */
export function tracedSum(state: State, name: Figure): number {
  return name === 'released' ? heldOf(state).released : SUMS[name](state)
}
