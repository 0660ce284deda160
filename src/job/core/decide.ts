import type { AskAnswer, Unavailable } from '../../psp/answer.ts'
import { mayAdvance, mayKnow, mayResend } from './bounds.ts'
import type { Fact, FactOf, StopReason, Wisher, Writer } from './facts.ts'
import { type InstructionResult, recordAnswer } from './instruct.ts'
import { type Notice, isNews, isTelling } from './notices.ts'
import type { Instruction, Where } from './payment.ts'
import { decideByHub } from './reserved.ts'
import { preview, standsDifferently, unlessSame } from './sight.ts'
import { lastMomentOf } from './when-to-ask.ts'
import { leftAloneUntil, planOf } from './schedule.ts'
import { type State, findPayment, isPending, untilOf } from './state.ts'
import { heldBy, unappliedOf } from './money.ts'

/**
 * Something that happened to a job, or that a shop, an operator or the hub wants. `decide` turns it
 * into facts; into none if these change no duty, and nothing that a person or a shop can see.
 */
export type Command =
  | { do: 'record-attempts'; attempts: readonly FactOf<'attempted'>[] }
  | { do: 'create-again'; attempts: readonly FactOf<'attempted'>[] }
  | {
      do: 'record-answer'
      question: Question
      answers: readonly PaymentAnswer[]
      notified?: FactOf<'notified'>
    }
  | ({ do: 'record-notification' } & Notice)
  | { do: 'record-return' }
  | { do: 'cancel'; by: Wisher }
  | { do: 'expire' }
  | ({ do: 'instruct' } & Pick<Instruction, 'account' | 'reference' | 'kind' | 'id'>)
  | { do: 'record-instruction'; id: string; asked: number; answer: InstructionResult }
  | { do: 'send-report-again' }
  | { do: 'record-report'; tried: FactOf<'report-tried'> }
  | { do: 'record-also-paid'; job: string; paid: number }
  | { do: 'clear-money' }
  | { do: 'record-row'; entry: number; digest: string }
  | { do: 'let-time-pass'; to: number }
  | { do: 'move-clock'; next: number }

/**
 * A question to a PSP about one payment: when (ms) the hub asked, and why. `duty`: the hub records
 * any answer, because the next question is planned from this one. `back`: the customer came back,
 * and waits.
 */
export type Question = { where: Where; asked: number; why: 'duty' | 'back' | 'other' }
/** An answer to a question, or to the stop of a payment. */
export type PaymentAnswer = { answer: AskAnswer; stopped?: StopReason }

/** Returns what the entry stores of its command, if the facts do not show which command it was. */
export function writerOf(command: Command): Writer | undefined {
  if (command.do === 'record-answer') return command.question.why
  return command.do === 'create-again' ? command.do : undefined
}

export function decide(state: State, command: Command, now: number): Fact[] {
  switch (command.do) {
    case 'record-attempts':
      return command.attempts.filter((attempt) => !isRefusedAgain(state, attempt))
    case 'create-again':
      return command.attempts.filter((attempt) => isNewAttempt(state, attempt))
    case 'record-answer':
      return recordAnswers(state, command, now)
    case 'record-notification':
      return isNews(state, command) ? [command.notified] : []
    case 'record-return':
      return unlessSame(state, [{ is: 'returned' }], now)
    case 'cancel':
      return isCancellable(state) && !state.cancel ? [{ is: 'cancel-asked', by: command.by }] : []
    case 'expire':
      return isPending(state) && now >= lastMomentOf(state) ? [{ is: 'expired' }] : []
    case 'instruct':
      return decideByHub(state, command, now)
    case 'record-instruction':
      return recordAnswer(state, command, now)
    case 'send-report-again':
      return isReportFresh(state) || !mayResend(state) ? [] : [{ is: 'report-asked' }]
    case 'record-report':
      return isKnownTry(state, command.tried) ? [] : [command.tried]
    case 'record-also-paid':
      return mayKnow(state, command) ? [{ is: 'also-paid', job: command.job, paid: command.paid }] : []
    case 'clear-money': {
      const amount = unappliedOf(state)
      return amount > 0 ? [{ is: 'cleared', amount }] : []
    }
    case 'record-row':
      return command.entry > state.index.written
        ? [{ is: 'row-written', entry: command.entry, digest: command.digest }]
        : []
    case 'let-time-pass':
      return mayAdvance(state) && command.to > Math.max(state.clock.wanted, state.clock.offset)
        ? [{ is: 'time-asked', to: command.to }]
        : []
    case 'move-clock': {
      const by = Math.min(Math.max(command.next - now, 0), state.clock.wanted - state.clock.offset)
      return by > 0 ? [{ is: 'clock-moved', offset: state.clock.offset + by }] : []
    }
  }
}

function isReportFresh({ report }: State): boolean {
  return report?.tries === 0
}

/** Returns whether the job knows the try: a Worker may report one try twice. */
function isKnownTry({ report }: State, { revision, began }: FactOf<'report-tried'>): boolean {
  return report !== null && report.history.some((one) => one.revision === revision && one.began === began)
}

/** Returns whether the job can be cancelled: not while money is under way or reserved. */
function isCancellable({ standing }: State): boolean {
  return standing.is === 'unannounced' || standing.is === 'open'
}

/**
 * Returns whether a repeated create brings an attempt that the job lacks. Two creates under one
 * Idempotency-Key may reach two accounts, and each may hold a payment.
 */
function isNewAttempt(state: State, { account, outcome }: FactOf<'attempted'>): boolean {
  if (state.standing.is === 'unannounced') return true
  return outcome.is === 'took'
    ? !findPayment(state, { account, reference: outcome.reference })
    : !state.attempts.some((known) => known.account === account)
}

/** Returns whether an account only repeats its refusal of a job that has ended. */
function isRefusedAgain({ standing, attempts }: State, { account, outcome }: FactOf<'attempted'>): boolean {
  const last = attempts.findLast((attempt) => attempt.account === account)
  return standing.is === 'ended' && outcome.is === 'refused' && last?.outcome.is === 'refused'
}

function recordAnswers(
  state: State,
  { question: { where, asked, why }, answers, notified }: Extract<Command, { do: 'record-answer' }>,
  now: number,
): Fact[] {
  const seen = answers.map(({ answer, stopped }) =>
    factOf(where, asked, why, withClaim(answer, notified), stopped),
  )
  const isSilent = seen.every(({ is }) => is === 'unanswered')
  const facts: Fact[] = [
    ...(notified && isTelling(state, notified, isPaidIn(answers)) ? [notified] : []),
    ...seen,
    ...(isSilent && why === 'back' ? [{ is: 'returned' } as const] : []),
  ]
  if (why !== 'duty') return unlessSame(state, facts, now)
  const payment = findPayment(state, where)
  // Two duties may share one answer.
  if (isSilent && payment && payment.asks.lastAt >= asked) return []
  const isEnd = payment === state.payments[0] && mayEnd(preview(state, facts, now), where, now)
  const all: Fact[] = isEnd ? [...facts, { is: 'expired' }] : facts
  // The schedule counts silence, so the journal keeps it. It keeps an answer only if that is news.
  return isSilent || standsDifferently(state, preview(state, all, now)) ? all : []
}

/** Returns whether the PSP's API says that the payment is paid. */
export function isPaidIn(answers: readonly PaymentAnswer[]): boolean {
  return answers.some(({ answer }) => answer.is === 'observed' && answer.status === 'SUCCESS')
}

/** Replaces PENDING by the claimed status, but never by SUCCESS: only the API can say that. */
function withClaim(answer: AskAnswer, notified: FactOf<'notified'> | undefined): AskAnswer {
  const claim = notified?.claims
  const isClaimable = answer.is === 'observed' && answer.status === 'PENDING'
  return isClaimable && claim && claim !== 'SUCCESS' ? { ...answer, status: claim } : answer
}

function factOf(
  where: Where,
  asked: number,
  why: Question['why'],
  answer: AskAnswer,
  stopped: StopReason | undefined,
): Fact {
  if (answer.is !== 'observed') return silence(where, asked, answer)
  const { is: _, unread: _unread, approved: _approved, ...seen } = answer
  if (stopped) return { is: 'stopped', ...where, asked, why: stopped, answer: seen }
  return { is: 'seen', ...where, asked, answer: seen, ...(why === 'back' ? { back: true } : {}) }
}

function silence(where: Where, asked: number, answer: { is: 'unknown' } | Unavailable): FactOf<'unanswered'> {
  if (answer.is === 'unknown') return { is: 'unanswered', ...where, asked, how: 'unknown', message: '' }
  const { message, accountRefused, retryAfter, failure } = answer
  return {
    is: 'unanswered',
    ...where,
    asked,
    how: accountRefused ? 'refused' : 'silent',
    message,
    ...(retryAfter === undefined ? {} : { notBefore: leftAloneUntil(asked, retryAfter) }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/**
 * Returns whether a job ends after its time to pay. Either the PSP answers, and the customer cannot
 * act any more; or the PSP has not answered, or has left the payment open, for three days of
 * questions; or the PSP has refused the account for ninety days; or no money came for a while after a
 * terminal had said that the payment failed.
 */
function mayEnd(state: State, where: Where, now: number): boolean {
  if (!isPending(state) || now < untilOf(state)) return false
  const payment = findPayment(state, where)
  if (!payment) return false
  const { asks, over } = payment
  // The hub releases reserved money first, which ends the job.
  const isHeld = state.order.capture === 'manual' && heldBy(payment) > 0
  const isAnswered = asks.unanswered === null && !isHeld && (over || state.standing.is !== 'open')
  return isAnswered || asks.atEnd > planOf(state).atEnd.length || now >= lastMomentOf(state)
}
