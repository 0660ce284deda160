import { realAt } from '../../contract/advance.ts'
import { figuresWith } from '../../contract/money-figures.ts'
import { seen, notified, stopped, unanswered } from './answers.ts'
import { attempted } from './attempts.ts'
import type { Entry, Fact, FactOf } from './facts.ts'
import { withAnswer, withInstruction, refundAsked } from './instructions.ts'
import { DEFAULT_LIFE, REPORT } from './schedule.ts'
import {
  type Clock,
  type Movement,
  type Report,
  SHAPE,
  type State,
  alsoPaidBy,
  ended,
  findPayment,
  isPending,
  statusOf,
} from './state.ts'
import { chargeOf } from './terminal.ts'
import { stampOf, withStep } from './trace.ts'
import { backFrom, paidOf } from './money.ts'
import { tracedSum } from './sums.ts'

/*
 * How facts move a job. Its `standing` (state.ts) goes from `unannounced` to `open`, then between `open`,
 * `underway` and `authorized`, and to `paid` or `ended`. What is paid stays paid; what has ended becomes
 * paid if the money comes after all.
 *
 * | fact                            | moves the job because               | in          |
 * | ------------------------------- | ----------------------------------- | ----------- |
 * | `attempted`                     | an account took or refused it       | attempts.ts |
 * | `seen`, `stopped`, `unanswered` | the PSP answered, or did not        | answers.ts  |
 * | `notified`                      | the PSP signed what its API lacks   | answers.ts  |
 * | `cancel-asked`, `expired`       | the shop or the time ended it       | this file   |
 *
 * Each payment counts its own money (ledger.ts) and the hub's questions about it (asks.ts). Each capture,
 * release and refund moves by itself (instructions.ts). docs/architecture.md draws all of this.
 */

/** Folds an entry into the state. The first entry begins with `created`. */
export function evolve(before: State | null, entry: Entry): State {
  const { number, at, facts } = entry
  let folded = before && { ...before, entry: { number, at } }
  for (const fact of facts) folded = withFact(folded, fact, entry)
  if (!folded) throw new Error('the journal does not begin with the creation of the job')
  const moved = withCharge(before, withMovements(before, folded))
  return before === null || isChanged(before, moved) ? withReport(before, moved) : moved
}

function withFact(state: State | null, fact: Fact, entry: Entry): State {
  if (fact.is === 'created') return born(fact, entry)
  if (!state) throw new Error('the journal does not begin with the creation of the job')
  const now = Math.floor(entry.at / 1000)
  switch (fact.is) {
    case 'attempted':
      return attempted(state, fact, now)
    case 'returned':
      return withStep(state, 'Return')
    case 'notified':
      return notified(state, fact, now)
    case 'seen':
      return seen(state, fact, fact.back ? 'Return' : 'Statuspull', now)
    case 'stopped':
      return stopped(state, fact, now)
    case 'unanswered':
      return unanswered(state, fact, now)
    case 'expired':
      return isPending(state) ? withStep(expired(state, now), 'Expire') : state
    case 'cancel-asked': {
      const asked = { ...state, cancel: { by: fact.by, at: now } }
      // A terminal may have the order although its answer has not come.
      const isSafe = state.standing.is === 'unannounced' && !state.order.terminal
      return isSafe ? withStep(ended(asked, 'CANCELLED', now), 'Cancel') : asked
    }
    case 'instructed':
      return withInstruction(state, fact, now)
    case 'instruction-answered':
      return withAnswer(state, fact, now)
    case 'refund-asked':
      return withInstruction(state, refundAsked(fact), now)
    case 'refund-answered':
      return withAnswer(state, { id: fact.refund, outcome: fact.outcome }, now)
    case 'report-asked':
      return { ...state, report: freshReport(state, now) }
    case 'report-tried':
      return reportTried(state, fact, now)
    case 'also-paid':
      return withAlsoPaid(state, fact, entry.at)
    case 'cleared':
      return { ...state, cleared: state.cleared + fact.amount }
    case 'row-written':
      return fact.entry > state.index.written
        ? { ...state, index: { written: fact.entry, digest: fact.digest ?? '' } }
        : state
    case 'time-asked': {
      const { wishes } = state.clock
      return withClock(state, { wanted: fact.to, wishes: wishes + 1 }, now)
    }
    case 'clock-moved':
      return withClock(state, { offset: fact.offset }, now)
  }
}

/**
 * Ends a job whose time is over. A part that its point of sale has captured stays paid. A payment that had
 * failed at its terminal, and whose money did not come, has failed.
 */
function expired(state: State, now: number): State {
  const failure = state.payments[0]?.asks.failure
  if (failure) return { ...ended(state, 'FAILURE', now), error: failure.why }
  const isCaptured = state.order.capture === 'manual' && paidOf(state) > 0
  return isCaptured ? { ...state, standing: { is: 'paid', at: now } } : ended(state, 'EXPIRED', now)
}

/** The shop sees which other jobs were paid, but not how much of their money is left. */
function withAlsoPaid(state: State, { job, paid }: FactOf<'also-paid'>, at: number): State {
  const others = state.alsoPaid.filter((one) => one.job !== job)
  const after = { ...state, alsoPaid: [...others, { job, paid }] }
  return alsoPaidBy(after).length === alsoPaidBy(state).length ? after : { ...after, updated: at }
}

/** If the real clock steps back, rows must not show an earlier time than before. */
function withClock(state: State, changed: Partial<Clock>, now: number): State {
  const moved = Math.max(state.clock.moved, now - state.clock.offset)
  return { ...state, clock: { ...state.clock, ...changed, moved } }
}

function born(fact: FactOf<'created'>, { number, at, personal }: Entry): State {
  const { is: _, ...created } = fact
  const started = at + 1
  return {
    shape: SHAPE,
    ...created,
    // The entry keeps the IP address apart from its facts, so that the hub can erase it.
    order: { ...created.order, ipAddress: personal?.ipAddress ?? '' },
    created: at,
    updated: started,
    standing: { is: 'unannounced', until: Math.floor(at / 1000) + DEFAULT_LIFE },
    attempts: [],
    rounds: { count: 0, entry: 0 },
    payments: [],
    movements: [],
    steps: [{ at: started, action: 'Start', status: 'PENDING', paid: 0, due: created.order.amount }],
    revision: 1,
    report: null,
    instructions: [],
    error: null,
    late: false,
    cancel: null,
    alsoPaid: [],
    cleared: 0,
    index: { written: 0, digest: '' },
    clock: { offset: 0, wanted: 0, moved: 0, wishes: 0 },
    entry: { number, at },
  }
}

function withMovements(earlier: State | null, after: State): State {
  const at = realAt(after.clock, Math.floor(after.entry.at / 1000))
  const moved = after.payments.flatMap((payment): Movement[] => {
    const was = earlier ? findPayment(earlier, payment) : undefined
    const where = { at, account: payment.account, reference: payment.reference }
    const back = backFrom(payment)
    const before = was ? backFrom(was) : { refunded: 0, chargedBack: 0 }
    return (
      [
        ['payment', payment.paid - (was?.paid ?? 0)],
        ['refund', before.refunded - back.refunded],
        ['chargeback', before.chargedBack - back.chargedBack],
      ] as const
    ).flatMap(([kind, amount]) => {
      const isBack = kind !== 'payment' && amount > 0
      return amount === 0 ? [] : [{ ...where, is: isBack ? 'reversal' : kind, amount }]
    })
  })
  return { ...after, movements: [...after.movements, ...moved] }
}

/** What is known of a charge at a terminal changes what the shop sees, though no step of the trace. */
function withCharge(before: State | null, after: State): State {
  const isNews = before !== null && chargeOf(before) !== chargeOf(after)
  return isNews && before.updated === after.updated ? { ...after, updated: stampOf(after) } : after
}

/**
 * Returns whether the status, an amount, the other paid jobs or what is known of a charge changed: each
 * makes a revision.
 */
function isChanged(before: State, after: State): boolean {
  const [was, is] = [totalsOf(before), totalsOf(after)]
  return (
    statusOf(before) !== statusOf(after) ||
    chargeOf(before) !== chargeOf(after) ||
    alsoPaidBy(before).length !== alsoPaidBy(after).length ||
    is.some((total, place) => total !== was[place])
  )
}

/** The shop also gets a report if a capture fails that the PSP had taken, or if the hub gave up an instruction. */
function totalsOf(state: State): number[] {
  const failed = state.instructions.filter(
    ({ state: is, kind, pspId, byHub, overdue }) =>
      is === 'failed' && !byHub && (overdue || (kind !== 'refund' && pspId !== null)),
  )
  return [paidOf(state), ...figuresWith('inTrace').map((name) => tracedSum(state, name)), failed.length]
}

function withReport(before: State | null, after: State): State {
  if (before === null && isPending(after)) return after
  const revision = before === null ? after.revision : after.revision + 1
  const changed = { ...after, revision }
  return { ...changed, report: freshReport(changed, Math.floor(after.entry.at / 1000)) }
}

function freshReport({ revision, report }: State, now: number): Report {
  return { revision, state: 'due', since: now, tries: 0, notBefore: 0, history: report?.history ?? [] }
}

function reportTried(state: State, fact: FactOf<'report-tried'>, now: number): State {
  const { is: _, notBefore = 0, ...tried } = fact
  const { result } = tried
  const { report } = state
  if (!report) return state
  const history = [...report.history, tried]
  if (tried.revision !== report.revision) {
    // The shop may have received this older report after the newest: the hub sends the newest again.
    const isOvertaken = result === 'delivered' && report.state === 'delivered'
    return { ...state, report: { ...(isOvertaken ? freshReport(state, now) : report), history } }
  }
  const tries = report.tries + 1
  // A second try may have been under way when the shop took the report.
  const isDelivered = result === 'delivered' || report.state === 'delivered'
  const isGivenUp = result === 'unwanted' || tries >= REPORT.length
  const next = isDelivered ? 'delivered' : isGivenUp ? 'given-up' : 'due'
  return { ...state, report: { ...report, state: next, tries, notBefore, history } }
}
