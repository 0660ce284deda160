import type { AskAnswer } from '../../psp/answer.ts'
import type { Question } from './decide.ts'
import type { StopReason } from './facts.ts'
import { type State, findPayment, untilOf } from './state.ts'

/** Returns why the hub should stop the payment after this answer; null if it should not. */
export function whyStop(
  state: State,
  { where, asked }: Pick<Question, 'where' | 'asked'>,
  answer: AskAnswer,
  isGivenUp: boolean,
): StopReason | null {
  if (!isOpen(answer)) return null
  const isOwn = findPayment(state, where) === state.payments[0]
  const { standing, cancel } = state
  if (!isOwn || standing.is === 'paid' || standing.is === 'ended') return 'not-wanted'
  if (cancel) return 'cancel'
  if (isGivenUp) return 'gave-up'
  const until = untilOf(state)
  return asked >= until && (answer.expiresAt ?? 0) <= until ? 'expiry' : null
}

/** Returns whether the PSP says that the customer may still act. */
export function isOpen(answer: AskAnswer): answer is Extract<AskAnswer, { is: 'observed' }> {
  return answer.is === 'observed' && answer.status === 'PENDING' && (answer.stage?.is ?? 'open') === 'open'
}
