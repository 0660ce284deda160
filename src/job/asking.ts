import { HOUR } from '../contract/timestamp.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { askAbout } from './ask-account.ts'
import { isBare } from './core/answers.ts'
import { type PaymentAnswer, type Command, type Question, isPaidIn, isStored } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { FactOf } from './core/facts.ts'
import { APART } from './core/schedule.ts'
import { instructionsOf } from './core/instructions.ts'
import { type Payment, about } from './core/payment.ts'
import { type State, askedAt, notifiedPayment } from './core/state.ts'
import { isOpen } from './core/stopping.ts'
import { type OwnJob, askName, type dutyRoster, lookName, wishName } from './duty-roster.ts'

/** How long (ms) a caller waits for an answer: a stop takes up to four requests. */
const LONGEST = 35_000
/** How long (ms) a notification waits for an answer: PSPs want a quick reply. */
const NOTIFICATION_PATIENCE = 5000

/** How many questions and announcements customers and PSPs may cause for one job in an hour. */
const MOST_OUTSIDE = 120

/**
 * A reason to ask a PSP. `byAnybody`: anybody who has the job's address can cause the question, so
 * an hourly limit applies. `stops`: the caller wants an open payment stopped. `untilPaid`: the hub
 * does not ask about a paid job, because the answer would tell nothing new. `recordedAs`: the
 * reason as the answer's facts keep it.
 */
type Reason = {
  byAnybody?: true
  stops?: true
  untilPaid?: true
  recordedAs: Question['why']
}

export type AskReason = 'back' | 'gave-up' | 'wait' | 'notified' | 'claim' | 'cancel' | 'operator' | 'duty'

const REASONS: Readonly<Record<AskReason, Reason>> = {
  back: { byAnybody: true, untilPaid: true, recordedAs: 'back' },
  'gave-up': { byAnybody: true, stops: true, untilPaid: true, recordedAs: 'back' },
  /** A page waits for the outcome. */
  wait: { byAnybody: true, untilPaid: true, recordedAs: 'other' },
  /** The PSP says that something changed. */
  notified: { byAnybody: true, recordedAs: 'other' },
  /** A signed notification tells an end that the API may not show. */
  claim: { recordedAs: 'other' },
  cancel: { stops: true, recordedAs: 'other' },
  operator: { recordedAs: 'other' },
  duty: { stops: true, recordedAs: 'duty' },
}

type Notified = FactOf<'notified'>

/** The PSP's answers to one question, and when (ms) the hub asked. */
export type Answers = { asked: number; answers: readonly PaymentAnswer[] }

/** The answers to a question, or from when on (ms, real) the hub may ask it. */
type Turn = Answers | { from: number }

/** A job after a question to the PSP. `isAnswered` is false when asking again may tell more. */
export type AskResult = { job: State; isAnswered: boolean }

/** Counts what happens, and limits it to so often in an hour. Memory that is lost forgets it. */
function hourlyLimit(most: number) {
  let times: number[] = []
  /** Returns from when (ms) on there is room for one more. */
  const freeAt = (): number => (times.at(-most) ?? -HOUR) + HOUR
  const count = (): void => void (times = [...times, Date.now()].slice(-most))
  return {
    freeAt,
    count,
    /** Returns false when the limit is reached; else counts one more. */
    mayHappen: (): boolean => {
      const isFree = freeAt() <= Date.now()
      if (isFree) count()
      return isFree
    },
  }
}

/**
 * Asks the PSP how a job's payments stand, and records the answers. The hub asks one question at a
 * time about each payment. Callers who ask meanwhile, or within two seconds of the answer, share
 * that answer. All of this is memory: losing it costs one more question.
 */
export function asking(env: Env, { read, now, tell }: OwnJob, roster: ReturnType<typeof dutyRoster>) {
  const outside = hourlyLimit(MOST_OUTSIDE)
  const flights = singleFlight<Answers>()
  /** `bringsPayment`: one notification, on its way, may tell no more than this answer does. */
  const newest = new Map<string, Answers & { at: number; bringsPayment: boolean }>()

  /** Asks now. Logs a fault of the hub and returns no answers, so that the duty to ask stays. */
  async function put(payment: Payment, why: AskReason): Promise<Answers> {
    // A clock that steps back must not make this answer older than the last.
    const asked = Math.max(now(), payment.asks.lastAt + 1)
    const state = read()
    let answers: readonly PaymentAnswer[] = []
    try {
      if (!state) throw new Error('there is no job')
      answers = await askAbout(env, state, payment, { isGivenUp: why === 'gave-up', asked })
    } catch (error) {
      log.fault('job.duty-failed', error, { job: state?.id, duty: 'ask' })
    }
    const bringsPayment = isPaidIn(answers) && payment.paid === 0 && why !== 'notified'
    newest.set(askName(payment), { asked, answers, at: Date.now(), bringsPayment })
    return { asked, answers }
  }

  /** A question that follows an answer waits for the hourly limit, too. */
  function later(answered: number): Turn {
    return { from: Math.max(answered + APART, outside.freeAt()) }
  }

  async function ask(payment: Payment, why: AskReason): Promise<Turn> {
    const name = askName(payment)
    const running = flights.running(name)
    if (running) {
      const shared = await within(why === 'notified' ? NOTIFICATION_PATIENCE : LONGEST, running)
      if (!shared) return later(Date.now())
      if (why === 'duty') return shared
    }
    const recent = newest.get(name)
    if (recent && Date.now() < recent.at + APART) {
      const turn = turnAfter(recent, why, payment)
      if (why === 'notified') recent.bringsPayment = false
      if (turn === 'share') return recent
      if (turn === 'later') return later(recent.at)
    }
    if (REASONS[why].byAnybody && !outside.mayHappen()) return { from: outside.freeAt() }
    // As a rule, a notification that had to wait prompted this question.
    if (why === 'duty' && payment.asks.prompted) outside.count()
    return flights.run(name, () => put(payment, why))
  }

  function record({ account, reference }: Payment, why: AskReason, { asked, answers }: Answers): Command {
    const question = { where: { account, reference }, asked, why: REASONS[why].recordedAs }
    return { do: 'record-answer', question, answers }
  }

  /**
   * Begins duties before their time that a notification may be about: checks of instructions that the
   * PSP has taken, however long ago, or the look at an account that may hold a payment, which this
   * waits for.
   */
  async function bringForward(state: State, notified: Notified): Promise<void> {
    logOtherCurrency(state, notified)
    const payment = notifiedPayment(state, notified)
    const look = payment
      ? undefined
      : (lookForTerminal(state, notified, now()) ?? roster.find(nameOfLook(state, notified)))
    if (look) await roster.performNow(look, outside.mayHappen)
    // A notification that tells moves also says what became of an instruction.
    if (!payment || notified.moves) return
    for (const instruction of about(instructionsOf(state), payment))
      if (instruction.state === 'pending')
        void roster.performNow({ do: `check-${instruction.kind}`, instruction, at: now() }, outside.mayHappen)
  }

  /** Has reserved money captured, and asks what came of it, before a person who waits is answered. */
  async function withCapture(answered: State, payment: Payment): Promise<State> {
    // The capture began when the hub recorded the answer, and the question when it recorded the capture.
    await roster.running(wishName(payment))
    await roster.running(askName(payment))
    return read() ?? answered
  }

  return {
    /**
     * Asks about the payment of a notification, else the customer's own. What a PSP has signed needs
     * no second notification once the hub has it, or will ask by itself. Null without a job.
     */
    async ask(why: AskReason, notified?: Notified, isSigned = false): Promise<AskResult | null> {
      const before = read()
      if (!before) return null
      if (notified) await bringForward(before, notified)
      const state = read() ?? before
      const payment = notified ? notifiedPayment(state, notified) : state.payments[0]
      if (!payment || !isWorthAsking(state, why)) {
        const job = REASONS[why].recordedAs === 'back' ? tell({ do: 'record-return' }) : state
        // The account may yet turn out to hold the payment, so the PSP must notify again.
        const isAnswered =
          !notified || isOwnCare(state, notified, isSigned) || !roster.find(nameOfLook(state, notified))
        return { job, isAnswered }
      }
      const turn = await ask(payment, why)
      if ('from' in turn) {
        if (!notified) return { job: read() ?? state, isAnswered: false }
        // The question waits for its turn; the schedule's own questions do not. The clock of the
        // Worker that took the notification may be slow: it must count as later than the last
        // question, whose answer may be older than the PSP's news.
        const came = Math.max(notified.came, now() + 1, turn.from + now() - Date.now())
        return { job: tell({ do: 'record-notification', notified: { ...notified, came } }), isAnswered: true }
      }
      const job = tell({ ...record(payment, why, turn), ...(notified ? { notified } : {}) })
      if (turn.answers.some(({ answer }) => answer.is === 'observed'))
        return { job: notified ? job : await withCapture(job, payment), isAnswered: true }
      const kept = notified && isSigned ? tell({ do: 'record-notification', notified }) : job
      return { job: kept, isAnswered: notified !== undefined && isStored(kept, notified) }
    },

    /** Performs the duty to ask. The duty stays due when the hub could not ask. */
    async askInTime(payment: Payment): Promise<void> {
      const turn = await ask(payment, 'duty')
      if ('from' in turn || turn.answers.length === 0) return
      tell(record(payment, 'duty', turn))
      roster.asked(askName(payment), turn.asked)
    },

    /** Returns when (ms) the hub last asked the PSP, even in vain; 0 for never. */
    askedAt: (): number =>
      Math.max(askedAt(read() ?? { payments: [] }), ...newest.values().map(({ asked }) => asked)),

    /** Returns false when visitors caused too many questions in an hour; else counts one more. */
    mayAnybodyAsk: outside.mayHappen,
    isIdle: flights.isIdle,
  }
}

/** Returns whether an answer could tell something new. */
function isWorthAsking({ standing }: State, why: AskReason): boolean {
  return !REASONS[why].untilPaid || standing.is !== 'paid'
}

/** Decides about a question within two seconds of an answer: ask, share that answer, or wait. */
function turnAfter(
  recent: Answers & { bringsPayment: boolean },
  why: AskReason,
  { asks }: Payment,
): 'ask' | 'share' | 'later' {
  // The job knows this answer, which came before the duty's time, and so does not end it.
  if (why === 'duty' && (asks.prompted || recent.asked <= asks.lastAt)) return 'ask'
  const last = recent.answers.at(-1)
  if (!last || last.answer.is === 'unavailable') return 'share'
  // The hub confirms a PSP's signed claim by a question of its own.
  if (why === 'claim') return 'ask'
  if (why === 'notified') return recent.bringsPayment ? 'share' : 'later'
  return REASONS[why].stops && isOpen(last.answer) && !last.stopped ? 'ask' : 'share'
}

/**
 * Names the duty that finds out whether an account holds a payment. An order for a terminal has one account,
 * which the hub asks by announcing it again.
 */
function nameOfLook({ order, payments }: State, { account }: Notified): string {
  return order.terminal && payments.length === 0 ? 'announce' : lookName(account)
}

/**
 * Returns the look at the account of a terminal that tells of a payment which the job lacks: the PSP has
 * signed it, while the terminal may not answer; or the order reached the terminal after the PSP had said
 * that it never began. Nothing else would ever bring that payment to the job.
 */
function lookForTerminal(
  { order, standing, payments }: State,
  { account, payment }: Notified,
  at: number,
): Duty | undefined {
  if (order.terminal?.account !== account) return undefined
  if (payment !== undefined) return { do: 'look', account, isHeld: true, at }
  const isLate = standing.is === 'ended' && payments.length === 0
  return isLate ? { do: 'look', account, at } : undefined
}

/**
 * Returns whether the hub needs no second notification of a payment at a terminal that it cannot find yet: it
 * asks by itself, and a PSP that signs may send nothing else while it repeats one.
 */
function isOwnCare({ order }: State, notified: Notified, isSigned: boolean): boolean {
  return order.terminal !== undefined && isSigned && isBare(notified)
}

/** Logs money in another currency than the order's: the hub does not count that. */
function logOtherCurrency({ id, pos, order }: State, { account, moves = [] }: Notified): void {
  if (moves.some(({ currency = order.currency }) => currency !== order.currency))
    log.warn('payment.other-currency', { job: id, pos, account })
}
