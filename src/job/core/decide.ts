import { type Result, ok, refuse } from '../../contract/result.ts'
import { DAY, MINUTE, stampAfter } from '../../contract/timestamp.ts'
import type { AskAnswer, RefundAnswer, Unavailable } from '../../psp/answer.ts'
import { evolve } from './evolve.ts'
import type { Fact, FactOf, StopReason, Wisher } from './facts.ts'
import { committed, partsOf, refundsAt } from './money-back.ts'
import { ASK_AT_END, LONGEST_SILENCE } from './schedule.ts'
import {
  type Payment,
  type Refund,
  type State,
  type Where,
  findPayment,
  isPending,
  untilOf,
} from './state.ts'

/**
 * What happens to a job, as somebody tells it. `decide` turns it into facts: none where it changes
 * nothing that a shop, a customer or an operator could see, nor what the hub owes.
 */
export type Command =
  | { do: 'record-attempts'; attempts: readonly FactOf<'attempted'>[] }
  | { do: 'create-again'; attempts: readonly FactOf<'attempted'>[] }
  | {
      do: 'record-answer'
      question: Question
      answers: readonly Answered[]
      notified?: FactOf<'notified'>
    }
  | { do: 'record-notification'; notified: FactOf<'notified'> }
  | { do: 'record-return' }
  | { do: 'cancel'; by: Wisher }
  | { do: 'expire' }
  | { do: 'record-refund'; id: string; asked: number; answer: RefundAsked }
  | { do: 'send-report-again' }
  | { do: 'record-report'; tried: FactOf<'report-tried'> }
  | { do: 'record-row'; entry: number }
  | { do: 'let-time-pass'; to: number }
  | { do: 'move-clock'; next: number }

/**
 * A question to a PSP about one payment: when it was asked, and why. A `duty` is recorded whatever
 * comes of it, so that the next one is planned from there. `back`: the customer came back, and
 * waits.
 */
export type Question = { where: Where; asked: number; why: 'duty' | 'back' | 'other' }
/**
 * The PSP's answers to a question, in their order: a payment may be seen reserved, and then
 * captured.
 */
export type Answered = { answer: AskAnswer; stopped?: StopReason }

/**
 * What came of a refund. `accountRefused`: the PSP refused the account that asked, so it took
 * nothing.
 */
export type RefundAsked = RefundAnswer | { is: 'refused'; message: string; accountRefused: true }

export function decide(state: State, command: Command, now: number): Fact[] {
  switch (command.do) {
    case 'record-attempts':
      return [...command.attempts]
    case 'create-again':
      return command.attempts.filter((attempt) => isNewAttempt(state, attempt))
    case 'record-answer':
      return recordAnswers(state, command, now)
    case 'record-notification':
      return isNews(state, command.notified) ? [command.notified] : []
    case 'record-return':
      return unlessSame(state, [{ is: 'returned' }], now)
    case 'cancel':
      return isCancellable(state) ? [{ is: 'cancel-asked', by: command.by }] : []
    case 'expire':
      return isPending(state) && now >= untilOf(state) ? [{ is: 'expired' }] : []
    case 'record-refund':
      return recordRefund(state, command, now)
    case 'send-report-again':
      return [{ is: 'report-asked' }]
    case 'record-report':
      return [command.tried]
    case 'record-row':
      return command.entry > state.index.written ? [{ is: 'row-written', entry: command.entry }] : []
    case 'let-time-pass':
      return command.to > Math.max(state.clock.wanted, state.clock.offset)
        ? [{ is: 'time-asked', to: command.to }]
        : []
    case 'move-clock': {
      const by = Math.min(Math.max(command.next - now, 0), state.clock.wanted - state.clock.offset)
      return by > 0 ? [{ is: 'clock-moved', offset: state.clock.offset + by }] : []
    }
  }
}

/** Money that is under way or reserved is waited for. */
function isCancellable({ standing }: State): boolean {
  return standing.is === 'unannounced' || standing.is === 'open'
}

/**
 * Creates under one Idempotency-Key may reach several accounts at once: whatever each of them may
 * hold is remembered.
 */
function isNewAttempt(state: State, { account, outcome }: FactOf<'attempted'>): boolean {
  if (state.standing.is === 'unannounced') return true
  return outcome.is === 'took'
    ? !findPayment(state, { account, reference: outcome.reference })
    : !state.attempts.some((known) => known.account === account)
}

function recordAnswers(
  state: State,
  { question: { where, asked, why }, answers, notified }: Extract<Command, { do: 'record-answer' }>,
  now: number,
): Fact[] {
  const seen = answers.map(({ answer, stopped }) => factOf(where, asked, why, answer, stopped))
  const isSilent = seen.every(({ is }) => is === 'unanswered')
  const told: Fact[] = [
    ...(notified && isTelling(notified) ? [notified] : []),
    ...seen,
    ...(isSilent && why === 'back' ? [{ is: 'returned' } as const] : []),
  ]
  const after = preview(state, told, now)
  const isEnd =
    why === 'duty' && where.reference === state.payments[0]?.reference && mayEnd(after, where, now)
  if (isEnd) return [...told, { is: 'expired' }]
  return why === 'duty' ? told : unlessSame(state, told, now)
}

/** A notification that tells nothing adds nothing while the PSP is owed a question already. */
function isNews(state: State, notified: FactOf<'notified'>): boolean {
  const { account, reference } = notified
  const payment = reference === null ? state.payments[0] : findPayment(state, { account, reference })
  return isTelling(notified) || payment?.asks.owed === null
}

/** Whether a notification tells what the PSP's API does not. */
function isTelling({ payment, moves, claims }: FactOf<'notified'>): boolean {
  return payment !== undefined || moves !== undefined || claims !== undefined
}

function factOf(
  where: Where,
  asked: number,
  why: Question['why'],
  answer: AskAnswer,
  stopped: StopReason | undefined,
): Fact {
  if (answer.is !== 'observed') return silence(where, asked, answer)
  const { is: _, ...seen } = answer
  if (stopped) return { is: 'stopped', ...where, asked, why: stopped, answer: seen }
  return { is: 'seen', ...where, asked, answer: seen, ...(why === 'back' ? { back: true } : {}) }
}

function silence(where: Where, asked: number, answer: { is: 'unknown' } | Unavailable): FactOf<'unanswered'> {
  if (answer.is === 'unknown') return { is: 'unanswered', ...where, asked, how: 'unknown', message: '' }
  const { message, accountRefused, retryAfter } = answer
  return {
    is: 'unanswered',
    ...where,
    asked,
    how: accountRefused ? 'refused' : 'silent',
    message,
    ...(retryAfter === undefined ? {} : { notBefore: asked + Math.min(retryAfter * 1000, DAY) }),
  }
}

/**
 * Whether a job ends whose time is over: the PSP has answered, and nobody can pay it any more; or
 * the PSP has not answered, or left the payment open, for three days of questions; or it has
 * refused the account for ninety days.
 */
function mayEnd(state: State, where: Where, now: number): boolean {
  if (!isPending(state) || now < untilOf(state)) return false
  const asks = findPayment(state, where)?.asks
  if (!asks) return false
  const isAnswered = asks.unanswered === null && state.standing.is !== 'open'
  return isAnswered || asks.afterEnd > ASK_AT_END.length || now >= untilOf(state) + LONGEST_SILENCE
}

/** Facts are kept where they change what somebody sees, or what the hub owes. */
function unlessSame(state: State, facts: Fact[], now: number): Fact[] {
  const after = preview(state, facts, now)
  return isSame(state, after) ? [] : facts
}

function preview(state: State, facts: readonly Fact[], now: number): State {
  return evolve(state, {
    number: state.entry.number + 1,
    at: stampAfter(state.entry.at, now),
    facts,
  })
}

function isSame(before: State, after: State): boolean {
  return (
    before.steps === after.steps &&
    JSON.stringify(before.standing) === JSON.stringify(after.standing) &&
    before.payments.every((payment, place) => isSamePayment(payment, after.payments[place]))
  )
}

function isSamePayment(before: Payment, after: Payment | undefined): boolean {
  return (
    after !== undefined &&
    before.paid === after.paid &&
    before.over === after.over &&
    before.refunded === after.refunded &&
    before.chargedBack === after.chargedBack &&
    before.foreign === after.foreign &&
    before.asks.owed === after.asks.owed &&
    before.asks.unanswered?.how === after.asks.unanswered?.how
  )
}

// Stopping and capturing at the PSP.

/** Why an answer calls for stopping the payment; null where it is to be left alone. */
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

/** Whether the PSP says that the customer may still act. */
export function isOpen(answer: AskAnswer): answer is Extract<AskAnswer, { is: 'observed' }> {
  return answer.is === 'observed' && answer.status === 'PENDING' && (answer.stage?.is ?? 'open') === 'open'
}

/** Whether the money is reserved, and waits to be captured. */
export function isReserved(answer: AskAnswer): answer is Extract<AskAnswer, { is: 'observed' }> {
  return answer.is === 'observed' && answer.status === 'PENDING' && answer.stage?.is === 'authorized'
}

// Refunds.

/**
 * A refund that somebody asks for; `amount` is null for all that is left. `call` tells a request
 * from its repetition.
 */
export type WantedRefund = {
  id: string
  fingerprint: string
  call: string
  amount: number | null
  description: string
}

/** Why a refund is not asked for at the PSP. `rest` is what could be refunded. */
export type RefundRefusal =
  | { is: 'unpaid' }
  | { is: 'nothing-left' }
  | { is: 'too-much'; rest: number; inParts: boolean }
  | { is: 'other-refund' }
  | { is: 'too-many' }

/** Refunds of one payment, those that failed too. */
const MOST_REFUNDS = 100

/**
 * How long (ms) after it was asked for a refund that the PSP does not know counts as never taken.
 */
const LOST_AFTER = 10 * MINUTE
/**
 * How long (ms) after it took a refund a PSP that does not know it any more has dropped it:
 * Mollie's dashboard cancels so.
 */
const VANISHED_AFTER = DAY

/**
 * Decides about a refund before the PSP is asked, so that never more goes back than was paid,
 * however many ask at once. It goes back to the payment that has most left: a job may have one at
 * another account, and a gift card and a card may have paid it together. The same id again changes
 * nothing.
 */
export function decideRefund(state: State, wanted: WantedRefund): Result<Fact[], RefundRefusal> {
  const known = state.refunds.find(({ id }) => id === wanted.id)
  if (known) return known.fingerprint === wanted.fingerprint ? ok([]) : refuse({ is: 'other-refund' })
  const paid = state.payments.filter((payment) => payment.paid > 0)
  if (paid.length === 0) return refuse({ is: 'unpaid' })
  if (state.refunds.length >= MOST_REFUNDS) return refuse({ is: 'too-many' })
  const [most] = paid
    .flatMap((payment) => sourcesOf(state, payment))
    .toSorted((one, other) => other.rest - one.rest)
  if (!most || most.rest === 0) return refuse({ is: 'nothing-left' })
  const { where, rest } = most
  const amount = wanted.amount ?? rest
  if (amount > rest) return refuse({ is: 'too-much', rest, inParts: 'part' in where })
  const { id: refund, fingerprint, call, description } = wanted
  return ok([{ is: 'refund-asked', refund, fingerprint, call, amount, description, ...where }])
}

/** What one refund can go back from, and how much may: a payment, or each part of it. */
function sourcesOf(state: State, payment: Payment): { where: Where & { part?: string }; rest: number }[] {
  const { account, reference } = payment
  const rest = restOf(state, payment)
  const parts = partsOf(payment)
  if (parts.length === 0) return [{ where: { account, reference }, rest }]
  return parts.map(({ part, amount }) => {
    const ofPart = state.refunds.filter((refund) => refund.part === part)
    const left = Math.max(amount - committed(ofPart), 0)
    return { where: { account, reference, part }, rest: Math.min(rest, left) }
  })
}

/**
 * What may still go back from a payment: what was paid, less what went back, and what refunds may
 * yet take.
 */
export function restOf({ refunds }: State, payment: Payment): number {
  const { paid, chargedBack, foreign } = payment
  return Math.max(paid - chargedBack - foreign - committed(refundsAt(refunds, payment)), 0)
}

function recordRefund(
  state: State,
  { id, asked, answer }: { id: string; asked: number; answer: RefundAsked },
  now: number,
): Fact[] {
  const refund = state.refunds.find((one) => one.id === id)
  return refund ? [{ is: 'refund-answered', refund: id, asked, outcome: outcomeOf(refund, answer, now) }] : []
}

function outcomeOf(refund: Refund, answer: RefundAsked, now: number): FactOf<'refund-answered'>['outcome'] {
  switch (answer.is) {
    case 'taken':
      return { is: answer.state === 'done' ? 'done' : 'taken', reference: answer.reference }
    case 'refused':
    case 'failed':
      return {
        is: 'failed',
        message: answer.message,
        ...('accountRefused' in answer ? { accountRefused: true } : {}),
      }
    case 'not-yet':
      return answer
    case 'unavailable':
      return { is: 'no-answer', message: answer.message }
    case 'unknown':
      if (refund.state === 'asking' && now >= refund.askedAt + LOST_AFTER)
        return { is: 'failed', message: 'The payment service provider was not reached.' }
      if (refund.state === 'pending' && now >= refund.answeredAt + VANISHED_AFTER)
        return { is: 'failed', message: 'The payment service provider has dropped the refund.' }
      return { is: 'no-answer', message: 'The payment service provider does not know the refund.' }
  }
}
