import type { TerminalState } from '../../contract/terminals.ts'
import { lastMomentOf } from './questions.ts'
import { type State, isPending } from './state.ts'

/** Returns how a payment at a terminal stands, for the till. */
export function terminalState(state: State): TerminalState {
  if (!isPending(state)) return 'ended'
  if (isInDoubt(state)) return 'unknown'
  return state.payments[0]?.progress ?? 'starting'
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
