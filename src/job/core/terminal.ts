import type { TerminalState } from '../../contract/terminals.ts'
import { takenIn } from './parts.ts'
import { lastMomentOf } from './when-to-ask.ts'
import { planOf } from './schedule.ts'
import { type State, isPending } from './state.ts'
import { signedOnly } from './signed-not-shown.ts'
import { paidOf } from './money.ts'

/** Returns how a payment at a terminal stands, for the till. */
export function terminalState(state: State): TerminalState {
  if (!isPending(state)) return chargeOf(state) === 'perhaps' ? 'unknown' : 'ended'
  if (isInDoubt(state)) return 'unknown'
  return signedOnly(state) ? 'authorising' : (state.payments[0]?.progress ?? 'starting')
}

/**
 * What the PSP's words say of the card, once a payment has ended unpaid at its terminal. `none`: nothing was
 * taken, and nothing will be. `back`: what may have been taken went back, or the PSP gives it back.
 * `perhaps`: the PSP has signed that the card was charged, or has never said how the payment ended. Everything
 * that a till, a shop or an operator reads about a charge comes from here.
 */
export type Charge = 'none' | 'back' | 'perhaps'

/** Returns what is known of the charge; null for a payment that is pending, is paid or is not at a terminal. */
export function chargeOf(state: State): Charge | null {
  const { order, standing, payments } = state
  if (!order.terminal || standing.is !== 'ended' || paidOf(state) > 0) return null
  if (signedOnly(state) || isEndUnconfirmed(state)) return 'perhaps'
  const isBack = payments.some(({ asks, over, moves }) => (asks.failure && !over) || takenIn(moves) > 0)
  return isBack ? 'back' : 'none'
}

/** Returns whether a job has expired although its PSP had not said how the payment ended. */
export function isEndUnconfirmed(state: State): boolean {
  const { standing, payments, order } = state
  if (standing.is !== 'ended' || standing.as !== 'EXPIRED') return false
  const [own] = payments
  // A terminal may have had the order although its answer was lost, or may have stored the payment.
  if (order.terminal) return own?.over !== true
  return own !== undefined && !own.over && own.asks.atEnd > planOf(state).atEnd.length
}

/**
 * Returns whether only the PSP knows how a payment ends, and does not say: the terminal may have taken
 * the money, so the cashier must not take it again.
 */
function isInDoubt({ attempts, payments, standing, cancel }: State): boolean {
  const [payment] = payments
  if (standing.is === 'unannounced') return attempts.length > 0 || cancel !== null
  return payment !== undefined && (payment.asks.unanswered !== null || payment.asks.atEnd > 0)
}

/** Returns by when (ms) the hub ends a doubt; null without one. */
export function doubtUntil(state: State): number | null {
  const isUnknown = state.order.terminal !== undefined && isPending(state) && isInDoubt(state)
  if (!isUnknown) return null
  return lastMomentOf(state)
}
