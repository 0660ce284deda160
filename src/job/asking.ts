import { log } from '../platform/log.ts'
import { askAbout } from './ask-account.ts'
import type { Command } from './core/decide.ts'
import type { FactOf } from './core/facts.ts'
import type { Payment, State } from './core/state.ts'
import type { dutyRoster } from './duty-roster.ts'
import {
  type Answers,
  type AskReason,
  type Claim,
  type hourlyLimit,
  isWorthAsking,
  questions,
  reasonOf,
} from './questions.ts'

/**
 * The job as the parts of its object see it: how it stands (null where it is not there), its clock
 * (ms), and the one way to change it.
 */
export type OwnJob = { read: () => State | null; now: () => number; tell: (command: Command) => State }

/**
 * How a job stands after the PSP was asked. `isAnswered` is false where it did not answer: it is
 * worth asking again.
 */
export type Asked = { job: State; isAnswered: boolean }

type Notified = FactOf<'notified'>

/** Asks the PSP how the payments of a job stand, and records what it says. */
export function asking(
  env: Env,
  { read, now, tell }: OwnJob,
  roster: ReturnType<typeof dutyRoster>,
  outside: ReturnType<typeof hourlyLimit>,
) {
  const turns = questions(put, outside)

  /**
   * Puts a question to the PSP. A fault of the hub is logged, and brings no answer: then the duty
   * to ask stays.
   */
  async function put(payment: Payment, why: AskReason, claim?: Claim): Promise<Answers> {
    const asked = now()
    const state = read()
    try {
      if (!state) throw new Error('there is no job')
      return await askAbout(env, state, payment, { why, asked, claim })
    } catch (error) {
      log.fault('job.duty-failed', error, { job: state?.id, duty: 'ask' })
      return { asked, answers: [] }
    }
  }

  function record({ account, reference }: Payment, why: AskReason, { asked, answers }: Answers): Command {
    const question = { where: { account, reference }, asked, why: reasonOf(why).recordedAs }
    return { do: 'record-answer', question, answers }
  }

  /** The PSP is owed a question about a notification, not before `from` (ms, real). */
  function oweAnswer({ reference }: Payment, notified: Notified, from: number): void {
    roster.hold(`ask ${reference}`, from + now() - Date.now())
    tell({ do: 'record-notification', notified })
  }

  return {
    /** Asks about the payment that was notified; without one about the customer's own. */
    async ask(why: AskReason, notified?: Notified): Promise<Asked | null> {
      const state = read()
      if (!state) return null
      if (notified) logOtherCurrency(state, notified)
      const payment = notified ? paymentOf(state, notified) : state.payments[0]
      if (!payment || !isWorthAsking(state, why)) {
        if (notified) await roster.performNow(`look ${notified.account}`)
        if (reasonOf(why).recordedAs === 'back') tell({ do: 'record-return' })
        return { job: read() ?? state, isAnswered: true }
      }
      const turn = await turns.ask(payment, why, notified?.claims)
      if (turn.is === 'later') {
        if (notified) oweAnswer(payment, notified, turn.from)
        return { job: read() ?? state, isAnswered: notified !== undefined }
      }
      const job = tell({ ...record(payment, why, turn), ...(notified ? { notified } : {}) })
      return { job, isAnswered: turn.answers.some(({ answer }) => answer.is === 'observed') }
    },

    /** Asks because it is time. Where nobody could be asked, it stays due. */
    async askInTime(payment: Payment): Promise<void> {
      const turn = await turns.ask(payment, 'duty')
      if (turn.is !== 'later' && turn.answers.length > 0) tell(record(payment, 'duty', turn))
    },

    isIdle: turns.isIdle,
    forget: turns.forget,
  }
}

/**
 * The payment that a notification is about. One without a reference is about the payment at that
 * account.
 */
function paymentOf({ payments }: State, { account, reference }: Notified): Payment | undefined {
  return payments.find(
    (payment) => payment.account === account && (reference === null || payment.reference === reference),
  )
}

/** Money in another currency than the order's is not counted. */
function logOtherCurrency({ id, pos, order }: State, { account, moves = [] }: Notified): void {
  if (moves.some(({ currency = order.currency }) => currency !== order.currency))
    log.warn('payment.other-currency', { job: id, pos, account })
}
