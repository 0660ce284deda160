import type { Observation } from '../../psp/answer.ts'
import type { FactOf } from './facts.ts'
import type { Asks } from './payment.ts'
import { pauseAtEnd, pauseOfPrompted, planOf } from './schedule.ts'
import { type State, untilOf } from './state.ts'

/**
 * Applies that the PSP answered. If the PSP has signed "paid", and its API shows the money neither as paid
 * nor as reserved, the hub keeps asking: the API may lag behind.
 */
export function afterAnswer(asks: Asks, asked: number, answer: Observation, state: State): Asks {
  const { status, authorized } = answer
  const isContradicted = asks.prompted?.isPaid && status !== 'SUCCESS' && !authorized
  return {
    ...asks,
    answeredAt: Math.max(asks.answeredAt, asked),
    lastAt: Math.max(asks.lastAt, asked),
    notBefore: 0,
    unanswered: null,
    failure: null,
    prompted: isContradicted || isFromBefore(asks, asked) ? triedAgain(asks, asked) : null,
    ...countAtEnd(asks, asked, state),
  }
}

/** Applies that the PSP gave no answer. */
export function afterSilence(asks: Asks, fact: FactOf<'unanswered'>, state: State): Asks {
  const { how, asked, message, notBefore = 0, failure } = fact
  const { unanswered: before } = asks
  return {
    ...asks,
    lastAt: Math.max(asks.lastAt, asked),
    notBefore,
    unanswered: { how, since: before?.since ?? asked, count: (before?.count ?? 0) + 1, message },
    failure: asks.failure ?? (failure === undefined ? null : { at: asked, why: failure }),
    prompted: triedAgain(asks, asked),
    // A refused account does not count, because wrong credentials must not end a job. At a terminal they
    // do: the till was promised an end by a certain time.
    ...(how === 'refused' && !state.order.terminal ? {} : countAtEnd(asks, asked, state)),
  }
}

/** Returns whether the hub asked before the notification or move that prompts a question came. */
function isFromBefore({ prompted }: Asks, asked: number): boolean {
  return prompted !== null && asked < prompted.since
}

/** Counts a prompted question, but only at the pace of its plan, however many others ask meanwhile. */
function triedAgain(asks: Asks, asked: number): Asks['prompted'] {
  const { prompted, lastAt } = asks
  if (prompted === null || isFromBefore(asks, asked)) return prompted
  const isEarly = prompted.tries > 0 && asked < lastAt + 0.9 * pauseOfPrompted(prompted.tries)
  return isEarly ? prompted : { ...prompted, tries: prompted.tries + 1 }
}

/**
 * Counts questions after the time to pay, but only at the pace of the schedule: a customer who asks
 * often must not make the job expire sooner.
 */
function countAtEnd({ atEnd, countedAt }: Asks, asked: number, state: State) {
  const isLate = asked >= untilOf(state)
  const counts = isLate && asked >= countedAt + 0.9 * pauseAtEnd(planOf(state), atEnd)
  return counts ? { atEnd: atEnd + 1, countedAt: asked } : {}
}
