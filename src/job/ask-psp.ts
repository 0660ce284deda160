import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { askAbout } from './account-calls.ts'
import { type PaymentAnswer, isPaidIn } from './core/decide.ts'
import { askName, wishName } from './core/duty-names.ts'
import type { FactOf } from './core/facts.ts'
import { nameOfLook, terminalLook } from './core/where-to-look.ts'
import { isTaken } from './core/notices.ts'
import type { Payment } from './core/payment.ts'
import { type State, askedAt, notifiedPayment } from './core/state.ts'
import {
  type Answers,
  type AskReason,
  REASONS,
  isWorthAsking,
  nextTurnAt,
  turnAfter,
} from './core/who-may-ask.ts'
import { findDuty, performNow } from './duty-roster.ts'
import { type OwnJob, nowOf, stateOf, tell } from './own-job.ts'

/*
 * Asks the PSP how a job's payments stand, and records the answers. The hub asks one question at a
 * time about each payment. Callers who ask meanwhile, or within two seconds of the answer, share
 * that answer.
 */

/** How long (ms) a caller waits for an answer: a stop takes up to four requests. */
const LONGEST = 35_000
/** How long (ms) a notification waits for an answer: PSPs want a quick reply. */
const NOTIFICATION_PATIENCE = 5000

type Notification = FactOf<'notified'>

/** A reason to ask. `isSigned`: only the PSP can have sent the notification. */
export type AskRequest = { why: AskReason; notified?: Notification; isSigned?: boolean }

/** A job after a question to the PSP. `isAnswered` is false if asking again may bring news. */
export type AskResult = { job: State; isAnswered: boolean }

/** The answers to a question, or from when on (ms, real) the hub may ask it. */
type Turn = Answers | { from: number }

/**
 * Asks about the payment of a notification, else the customer's own. What a PSP has signed needs
 * no second notification once the hub has it, or will ask by itself. Null without a job.
 */
export async function ask(job: OwnJob, request: AskRequest): Promise<AskResult | null> {
  const { why, notified } = request
  const before = job.journal.read()
  if (!before) return null
  if (notified) await bringForward(job, before, notified)
  const state = job.journal.read() ?? before
  const payment = notified ? notifiedPayment(state, notified) : state.payments[0]
  if (!payment || !isWorthAsking(state, why)) return withoutQuestion(job, request, state)
  const turn = await takeTurn(job, payment, why)
  if (!('from' in turn)) return withAnswers(job, request, payment, turn)
  return notified
    ? { job: keepForLater(job, payment, notified, turn.from), isAnswered: true }
    : { job: job.journal.read() ?? state, isAnswered: false }
}

/** Performs the duty to ask. The duty stays due when the hub could not ask. */
export async function askInTime(job: OwnJob, payment: Payment): Promise<void> {
  const turn = await takeTurn(job, payment, 'duty')
  if ('from' in turn || turn.answers.length === 0) return
  record(job, { why: 'duty' }, payment, turn)
  job.roster.asked.set(askName(payment), turn.asked)
}

/** Returns when (ms) the hub last asked the PSP, even in vain; 0 for never. */
export function lastAskedAt({ journal, newest }: OwnJob): number {
  const times = Array.from(newest.values(), ({ asked }) => asked)
  return Math.max(askedAt(journal.read() ?? { payments: [] }), ...times)
}

/** Asks about a payment, or shares the answer to an earlier question. */
async function takeTurn(job: OwnJob, payment: Payment, why: AskReason): Promise<Turn> {
  const { questions, newest, outside } = job
  const name = askName(payment)
  const running = questions.running(name)
  if (running) {
    const shared = await within(why === 'notified' ? NOTIFICATION_PATIENCE : LONGEST, running)
    if (!shared) return { from: nextTurnAt(Date.now(), outside.freeAt()) }
    if (why === 'duty') return shared
  }
  const recent = newest.get(name)
  const turn = recent ? turnAfter(recent, why, payment.asks, Date.now()) : 'ask'
  if (recent && turn !== 'ask') {
    if (why === 'notified') recent.bringsPayment = false
    return turn === 'share' ? recent : { from: nextTurnAt(recent.at, outside.freeAt()) }
  }
  if (REASONS[why].byAnybody && !outside.mayHappen()) return { from: outside.freeAt() }
  // As a rule, a notification that had to wait prompted this question.
  if (why === 'duty' && payment.asks.prompted) outside.count()
  return questions.run(name, () => askNow(job, payment, why))
}

/** Asks now. Logs a fault of the hub and returns no answers, so that the duty to ask stays. */
async function askNow(job: OwnJob, payment: Payment, why: AskReason): Promise<Answers> {
  // A clock that steps back must not make this answer older than the last.
  const asked = Math.max(nowOf(job), payment.asks.lastAt + 1)
  job.began.set(askName(payment), asked)
  let answers: readonly PaymentAnswer[] = []
  try {
    answers = await askAbout(job.env, () => stateOf(job), payment, { isGivenUp: why === 'gave-up', asked })
  } catch (error) {
    log.fault('job.duty-failed', error, { job: job.journal.read()?.id, duty: 'ask' })
  }
  const bringsPayment = isPaidIn(answers) && payment.paid === 0 && why !== 'notified'
  job.newest.set(askName(payment), { asked, answers, at: Date.now(), bringsPayment })
  return { asked, answers }
}

function record(job: OwnJob, { why, notified }: AskRequest, payment: Payment, turn: Answers): State {
  const { account, reference } = payment
  const question = { where: { account, reference }, asked: turn.asked, why: REASONS[why].recordedAs }
  const { answers } = turn
  return tell(job, { do: 'record-answer', question, answers, ...(notified ? { notified } : {}) })
}

async function withAnswers(job: OwnJob, request: AskRequest, payment: Payment, turn: Answers) {
  const { notified, isSigned = false } = request
  const state = record(job, request, payment, turn)
  if (turn.answers.some(({ answer }) => answer.is === 'observed'))
    return { job: notified ? state : await withCapture(job, state, payment), isAnswered: true }
  const kept = notified && isSigned ? keep(job, payment, notified) : state
  return { job: kept, isAnswered: notified !== undefined && isTaken(kept, notified, isSigned) }
}

/** Waits until reserved money is captured and the hub has asked about that: a person waits for the result. */
async function withCapture({ journal, roster }: OwnJob, answered: State, payment: Payment): Promise<State> {
  // The capture began when the hub recorded the answer, and the question when it recorded the capture.
  await roster.flights.running(wishName(payment))
  await roster.flights.running(askName(payment))
  return journal.read() ?? answered
}

function withoutQuestion(
  job: OwnJob,
  { why, notified, isSigned = false }: AskRequest,
  state: State,
): AskResult {
  const after = REASONS[why].recordedAs === 'back' ? tell(job, { do: 'record-return' }) : state
  // The account may yet turn out to hold the payment, so the PSP must notify again.
  const isAnswered =
    !notified || isTaken(state, notified, isSigned) || !findDuty(job.roster, nameOfLook(state, notified))
  return { job: after, isAnswered }
}

/**
 * Keeps a notification whose question waits for its turn. It must count as later than the last question,
 * whose answer may be older than its news: the clock of the Worker that took it may be slow.
 */
function keepForLater(job: OwnJob, payment: Payment, notified: Notification, from: number): State {
  const now = nowOf(job)
  const came = Math.max(notified.came, now + 1, from + now - Date.now())
  return keep(job, payment, { ...notified, came })
}

function keep(job: OwnJob, payment: Payment, notified: Notification): State {
  return tell(job, { do: 'record-notification', notified, began: job.began.get(askName(payment)) ?? 0 })
}

/** Looks at once at an account that may hold the payment of a notification, and waits for that. */
async function bringForward(job: OwnJob, state: State, notified: Notification): Promise<void> {
  const { roster, outside } = job
  logOtherCurrency(state, notified)
  if (notifiedPayment(state, notified)) return
  const look = terminalLook(state, notified, nowOf(job)) ?? findDuty(roster, nameOfLook(state, notified))
  if (look) await performNow(roster, look, outside.mayHappen)
}

/** Logs money in another currency than the order's: the hub does not count that. */
function logOtherCurrency({ id, pos, order }: State, { account, moves = [] }: Notification): void {
  if (moves.some(({ currency = order.currency }) => currency !== order.currency))
    log.warn('payment.other-currency', { job: id, pos, account })
}
