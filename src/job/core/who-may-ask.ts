import type { PaymentAnswer, Question } from './decide.ts'
import type { Asks } from './payment.ts'
import { APART } from './schedule.ts'
import type { State } from './state.ts'
import { isOpen } from './stopping.ts'

/**
 * A reason to ask a PSP. `byAnybody`: anybody who has the job's address can cause the question, so
 * an hourly limit applies. `stops`: the caller wants an open payment stopped. `untilPaid`: the hub
 * does not ask about a paid job, because the answer would bring no news. `recordedAs`: the
 * reason as the answer's facts keep it.
 */
type Reason = { byAnybody?: true; stops?: true; untilPaid?: true; recordedAs: Question['why'] }

export type AskReason = 'back' | 'gave-up' | 'wait' | 'notified' | 'claim' | 'cancel' | 'operator' | 'duty'

export const REASONS: Readonly<Record<AskReason, Reason>> = {
  back: { byAnybody: true, untilPaid: true, recordedAs: 'back' },
  'gave-up': { byAnybody: true, stops: true, untilPaid: true, recordedAs: 'back' },
  /** A page waits for the outcome. */
  wait: { byAnybody: true, untilPaid: true, recordedAs: 'other' },
  /** The PSP says that something changed. */
  notified: { byAnybody: true, recordedAs: 'other' },
  /** A signed notification names an end that the API may not show. */
  claim: { recordedAs: 'other' },
  cancel: { stops: true, recordedAs: 'other' },
  operator: { recordedAs: 'other' },
  duty: { stops: true, recordedAs: 'duty' },
}

/** Returns whether an answer could bring news. */
export function isWorthAsking({ standing }: Pick<State, 'standing'>, why: AskReason): boolean {
  return !REASONS[why].untilPaid || standing.is !== 'paid'
}

/** The PSP's answers to one question, and when (ms, by the job's clock) the hub asked it. */
export type Answers = { asked: number; answers: readonly PaymentAnswer[] }

/**
 * The newest answers about a payment. `at` (ms): when they came. `bringsPayment`: they were the first
 * to say that it is paid, so the PSP's notification of that, which is still on its way, says no more.
 */
export type NewestAnswers = Answers & { at: number; bringsPayment: boolean }

/**
 * Decides about a question after an answer, at a real time (ms). Within two seconds it shares that answer, or
 * waits until `later`, unless one of these rules lets the hub ask at once.
 */
export function turnAfter(
  newest: NewestAnswers,
  why: AskReason,
  asks: Asks,
  now: number,
): 'share' | 'ask' | 'later' {
  if (now >= newest.at + APART) return 'ask'
  // An answer that the job has already does not end a duty that came after it. A duty that shared it
  // stayed due, began again at once, and wrote 200 entries.
  if (why === 'duty' && (asks.prompted || newest.asked <= asks.lastAt)) return 'ask'
  // The hub does not ask a PSP again that has just not answered.
  const last = newest.answers.at(-1)
  if (!last || last.answer.is === 'unavailable') return 'share'
  // The hub confirms a PSP's signed claim by a question of its own.
  if (why === 'claim') return 'ask'
  // A notification may bring news that the answer lacks.
  if (why === 'notified') return newest.bringsPayment ? 'share' : 'later'
  // Only a further question stops a payment that the last one left open.
  return REASONS[why].stops && isOpen(last.answer) && !last.stopped ? 'ask' : 'share'
}

/**
 * Returns from when on (ms) the hub may ask again that waits for its turn after an answer. The hourly limit
 * of strangers, which has room from `freeAt` (ms) on, applies too: else anybody could have the hub ask
 * every two seconds.
 */
export function nextTurnAt(answered: number, freeAt: number): number {
  return Math.max(answered + APART, freeAt)
}
