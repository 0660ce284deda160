import { DAY, HOUR } from '../../contract/timestamp.ts'
import { endOf } from './instructions.ts'
import { dueAfter, paidOf } from './money.ts'
import { type Instruction, type Payment, about, isUnderWay } from './payment.ts'
import {
  ASK_AFTER_END,
  CHECK_INSTRUCTION,
  CHECK_SETTLED,
  FAILURE_DOUBT,
  LONGEST_INSTRUCTION,
  LONGEST_SILENCE,
  LONGEST_STAGE,
  LOOK,
  MOST_PROMPTED,
  doubtAfter,
  jittered,
  pauseAtEnd,
  pauseInSilence,
  pauseOfPrompted,
  planOf,
} from './schedule.ts'
import { type State, findPayment, untilOf } from './state.ts'
import { type Known, isOf } from './transfers.ts'

/**
 * Returns when (ms) the hub ends a PENDING job whatever happens: even if no account can be asked, and so
 * no question counts. If its terminal says that the payment failed, that is soon.
 */
export function lastMomentOf(state: State): number {
  const { standing, order, payments } = state
  const until = untilOf(state)
  if (standing.is === 'unannounced') return until
  const failure = payments[0]?.asks.failure
  if (failure) return Math.max(failure.at + FAILURE_DOUBT, until)
  return until + (order.terminal ? doubtAfter(planOf(state)) : LONGEST_SILENCE)
}

/** When (ms) to ask about a payment next. `isUnwanted`: the hub stops a payment that is open then. */
type NextQuestion = { at: number; isUnwanted: boolean }

/**
 * Returns when to ask about a payment next; null for never. The plan depends on the job's age and on when
 * the hub last asked. An answer without news leaves no entry, so only memory knows that time: an object
 * that has lost its memory asks once more, which does no harm.
 */
export function nextQuestion(state: State, payment: Payment): NextQuestion | null {
  const times = [promptedAt(payment), plannedAt(state, payment)]
  const at = Math.min(...times.filter((time) => time !== null))
  if (at === Infinity) return null
  const isOwn = payment === state.payments[0]
  const isUnwanted = !isOwn || at >= untilOf(state) || isCancelled(state) || isPaidElsewhere(state, payment)
  // Even if a PSP wants no request for a while, the hub asks at the end of the time to pay.
  return { at: Math.max(at, Math.min(payment.asks.notBefore, untilOf(state))), isUnwanted }
}

/** Returns when (ms) to ask by schedule, whatever notifications prompt; null for never. */
export function plannedAt(state: State, payment: Payment): number | null {
  const plan = payment === state.payments[0] ? planned(state, payment) : elsewhereAt(state, payment)
  const followed = followedAt(state, payment)
  return plan === null || followed === null ? (plan ?? followed) : Math.min(plan, followed)
}

function isCancelled({ cancel, standing }: State): boolean {
  return cancel !== null && standing.is === 'open'
}

/** Returns whether another payment paid the order, while the customer could still pay this one. */
function isPaidElsewhere(state: State, { over, paid, authorized }: Payment): boolean {
  return state.standing.is === 'paid' && !over && authorized === 0 && dueAfter(state, paid) > 0
}

/** Returns when (ms) to ask because of a notification or moved money; null for no such question. */
function promptedAt({ asks: { prompted, lastAt }, reference }: Payment): number | null {
  if (prompted === null || prompted.tries >= MOST_PROMPTED) return null
  const pause = pauseOfPrompted(prompted.tries)
  const from = prompted.tries === 0 ? prompted.since : lastAt
  return from + jittered(pause, reference, prompted.tries)
}

function planned(state: State, payment: Payment): number | null {
  const { lastAt, unanswered, countedAt, atEnd } = payment.asks
  const { standing } = state
  // Another payment paid the order, so the hub stops this one.
  if (standing.is === 'paid') return isPaidElsewhere(state, payment) ? stopAgain(standing.at, lastAt) : null
  if (standing.is === 'ended') return payment.over ? null : plannedAfter(standing.at, payment)
  if (lastAt < standing.until) return Math.min(beforeEnd(state, payment), standing.until)
  // The till was promised an end by a certain time, so refused credentials change no pause.
  return unanswered?.how === 'refused' && !state.order.terminal
    ? againAt(payment, unanswered.count)
    : countedAt + jittered(pauseAtEnd(planOf(state), atEnd), state.id, atEnd)
}

/** Returns when (ms) to ask about a payment that the customer could still pay after the job's end. */
function plannedAfter(end: number, payment: Payment): number | null {
  const { lastAt, unanswered } = payment.asks
  // The hub found the payment after the end, and stops it at once: no customer was shown its address.
  if (lastAt === 0) return end
  const next = ASK_AFTER_END.map((after) => end + after).find((at) => at > lastAt) ?? null
  // `unknown` is an answer.
  if (lastAt <= end || unanswered === null || unanswered.how === 'unknown') return next
  const again = againAt(payment, unanswered.count)
  return again < end + LONGEST_SILENCE ? again : next
}

/**
 * Returns when (ms) to stop an unwanted payment: at once, then hourly for a day, then daily while
 * its money may be under way; null after that. Some PSPs never say that a payment is over for good.
 */
function stopAgain(since: number, last: number): number | null {
  if (last < since) return since
  const again = last + (last < since + DAY ? HOUR : DAY)
  return again < since + LONGEST_STAGE ? again : null
}

function againAt({ asks, reference }: Payment, unanswered: number): number {
  return asks.lastAt + jittered(pauseInSilence(unanswered), reference, unanswered)
}

function beforeEnd(state: State, payment: Payment): number {
  const { cancel, order } = state
  const byAge = nextByAge(state, payment)
  if (!cancel || !isCancelled(state)) return byAge
  const again = Math.max(cancel.at, payment.asks.lastAt + HOUR)
  // A terminal may be charging the card despite the cancel, and a cashier waits.
  return order.terminal ? Math.min(again, byAge) : again
}

function nextByAge(state: State, { asks }: Payment): number {
  const born = Math.floor(state.created / 1000)
  const last = asks.lastAt
  // In silence the customer may have paid, so the hub asks as often as if the customer had come back.
  const { visited, unvisited, early } = planOf(state)
  const ages = isVisited(state) || asks.unanswered !== null ? visited : unvisited
  const byAge = ages.map((age) => born + age).find((at) => at > last + early)
  const next = byAge ?? last + jittered(24 * HOUR, state.id, last)
  // In the last tenth of the time to pay, or of its last day, the question at its end is soon enough.
  const until = untilOf(state)
  return next > until - Math.min(until - born, DAY) / 10 ? until : next
}

/** Returns whether the customer or money has come. Most other customers have abandoned the order. */
function isVisited(state: State): boolean {
  const { standing, steps } = state
  return standing.is !== 'open' || paidOf(state) > 0 || steps.some(({ action }) => action === 'Return')
}

/** Returns when (ms) to ask about an additional payment, while its money may be under way. */
function elsewhereAt({ created }: State, { asks, over, reference }: Payment): number | null {
  if (over || asks.lastAt > created / 1000 + LONGEST_STAGE) return null
  return asks.lastAt + jittered(24 * HOUR, reference)
}

/**
 * Returns when (ms) to ask because of captures, releases and refunds: the payment's answer lists what became of
 * them. Null for never, and for a PSP that signs moves of money instead of listing them.
 */
function followedAt(state: State, payment: Payment): number | null {
  if (payment.moves.length > 0) return null
  const { lastAt } = payment.asks
  const { capture = [], refund = [] } = payment.transfers ?? {}
  const own = about(state.instructions, payment)
  const others = [...capture, ...refund].filter((shown) => !own.some((one) => isOf(one, shown)))
  const times = [
    ...own.map((one) => followUp(one, lastAt)),
    ...others.map((shown) => pendingAt(shown, lastAt)),
  ].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns when (ms) to ask next because of a transfer that others began: it may fail without a notification. */
function pendingAt({ id, at, state }: Known, last: number): number | null {
  if (state !== 'pending') return null
  const byAge = CHECK_INSTRUCTION.map((age) => at + jittered(age, id)).find((time) => time > last)
  const next = byAge ?? last + jittered(DAY, id)
  return next < at + LONGEST_INSTRUCTION ? next : null
}

/**
 * Returns when (ms) to ask next because of an instruction, by its age. Even a done refund may fail for months. Of
 * a done capture or release the other questions show what follows.
 */
function followUp(one: Instruction, last: number): number | null {
  const { at: since, askedAt, id, kind, state } = one
  if (state === 'failed' || state === 'waiting' || (state === 'done' && kind !== 'refund')) return null
  const isDone = state === 'done'
  const [from, ages] = isDone ? [since, CHECK_SETTLED] : [askedAt, CHECK_INSTRUCTION]
  const byAge = ages.map((age) => from + jittered(age, id)).find((at) => at > last)
  return byAge ?? (isDone ? null : last + jittered(DAY, id))
}

/**
 * Returns when (ms) the hub has to instruct the PSP again, or give an instruction up; null for never. It instructs
 * again after a `not-yet`, and repeats a request without an answer as long as the PSP knows its key, if no list
 * shows what became of it.
 */
export function repeatAt(state: State, one: Instruction): number | null {
  const { lastCheckAt: last, askedAt, id } = one
  if (!isUnderWay(one)) return null
  if (one.state === 'waiting') return Math.min(last + jittered(LOOK[one.round] ?? DAY, id), endOf(one))
  const isListed = findPayment(state, one)?.transfers?.[one.kind] !== undefined
  if (one.state === 'pending' || isListed) return endOf(one)
  const byAge = CHECK_INSTRUCTION.map((age) => askedAt + jittered(age, id)).find((at) => at > last)
  return Math.min(byAge ?? last + jittered(DAY / 2, id), endOf(one))
}
