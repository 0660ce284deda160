import { dueAfter, surplusIn } from './due.ts'
import { allRefunds } from './ledger.ts'
import { type ReportTry, type State, alsoPaidBy, backOf, isPending, paidOf, tipOf } from './state.ts'

/** Returns how much of what was paid has not gone back, and is not on its way back (minor units). */
function keptOf(state: State): number {
  return paidOf(state) - tipOf(state) - backOf(state).chargedBack - allRefunds(state)
}

/**
 * Returns whether the shop has accepted a report that the job is paid. Money that came late then pays the
 * order, unless another job of the order number was paid too.
 */
export function isLateAccepted(state: State): boolean {
  const { late, report, standing } = state
  if (!late || standing.is !== 'paid' || report === null || alsoPaidBy(state).length > 0) return false
  const isOfPaid = ({ result, began }: ReportTry) => result === 'delivered' && began > standing.at
  return report.state === 'delivered' || report.history.some(isOfPaid)
}

/**
 * Returns the money (minor units) that the merchant has although it pays no order: a part of an order
 * that ended, more than was due, a second payment, or one that came after the end and that the shop has
 * not accepted. It counts until it is refunded, another job has collected the rest of the order, or an
 * operator has cleared it.
 */
export function unappliedOf(state: State): number {
  if (isPending(state)) return 0
  const kept = keptOf(state)
  const { standing, late, alsoPaid, cleared } = state
  if (standing.is === 'paid' && (!late || isLateAccepted(state))) return surplusIn(state, kept - cleared)
  const isWhole = (money: number) => dueAfter(state, money) === 0 && surplusIn(state, money) === 0
  const isCollected = alsoPaid.some(({ paid }) => paid > 0 && isWhole(paid + kept))
  return isCollected ? 0 : Math.max(0, kept - cleared)
}
