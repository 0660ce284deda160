import { type Command, type Question, decide } from './decide.ts'
import { duties, nextReportAt } from './duties.ts'
import type { Entry, Fact, FactOf } from './facts.ts'
import { fold, keyOf, readEntry } from './journal.ts'
import { askedAgain, decideRefund } from './refunds.ts'
import { rowOf } from './row.ts'
import { represent, representCreated, representRefund, representReports } from './show.ts'
import type { State } from './state.ts'
import { why } from './why.ts'

/*
 * What a release makes of a journal that is there already: `hub rehearse` plays the same journals with
 * two releases and compares. A release without this file gets that of the newer one, so it needs
 * nothing of the core that release 1.0 does not have.
 */

/**
 * The kinds of what is compared after each entry: whether it can be read; what the API answers, with
 * the refunds; the reports and their tries; the row of the index; the duties and their times (ms);
 * why the payment stands so; and the facts that the rules decide again.
 */
export const KINDS = ['fold', 'answer', 'report', 'row', 'duties', 'why', 'decisions'] as const
export type Kind = (typeof KINDS)[number]
/** Everything that is seen after an entry; a `fold` alone where it, or one before it, cannot be read. */
export type Seen = Partial<Record<Kind, unknown>>

/** A value that the object of a job stores under a key. */
export type Stored = { key: string; value: unknown }

/**
 * So many entries at either end of a journal are viewed. Each view has all that came before it, so
 * those of a long journal would have no bound.
 */
const VIEWED = 250

/** Plays the entries of a journal, the oldest first. `retention`: how long (ms) an ended job stays. */
export function* replay(journal: readonly Stored[], retention: number): Generator<Seen> {
  const entries: Entry[] = []
  const states: State[] = []
  let unread: string | null = null
  for (const [at, { key, value }] of journal.entries()) {
    unread ??= readInto(entries, states, key, value)
    const [state, entry] = [states.at(-1), entries.at(-1)]
    if (unread !== null || !state || !entry) yield { fold: unread }
    else {
      const isViewed = at < VIEWED || at >= journal.length - VIEWED
      const views = isViewed ? viewsOf(state, entry, retention) : {}
      const facts = decided(states.at(-2), entry)
      const kinds = facts.map(({ is }) => is).join(' ') || 'nothing'
      yield { fold: 'read', ...views, decisions: { [kinds]: facts } }
    }
  }
}

/** Reads and folds one entry more. Returns why that cannot be done. */
function readInto(entries: Entry[], states: State[], key: string, value: unknown): string | null {
  const number = entries.length + 1
  if (key !== keyOf(number)) return `lacks entry ${number}`
  const read = readEntry(number, value)
  if (!read.ok) return read.error.detail
  entries.push(read.value)
  try {
    // Release 1.0 kept no digest of a row: it follows from the states since the row's own entry.
    const from = Math.min(number, ...read.value.facts.flatMap(undigestedRow))
    const state = fold(entries.slice(from - 1), states[from - 2] ?? null)
    if (state) states.push(state)
    return null
  } catch (error) {
    return `entry ${number} cannot be folded: ${String(error)}`
  }
}

function undigestedRow(fact: Fact): number[] {
  return fact.is === 'row-written' && fact.digest === undefined && fact.entry > 0 ? [fact.entry] : []
}

function viewsOf(state: State, entry: Entry, retention: number): Seen {
  const now = millisOf(entry)
  const planned = Map.groupBy(duties(state, now, retention), (duty) => duty.do)
  const { main, others } = why(state, now)
  return {
    answer: {
      ...(entry.number === 1 ? { created: representCreated(state) } : {}),
      job: represent(state),
      refunds: state.refunds.map((refund) => representRefund(state, refund)),
    },
    report: representReports(state, nextReportAt(state, now)),
    row: rowOf(state),
    duties: Object.fromEntries(Array.from(planned, ([name, all]) => [name, all.map(({ at }) => at)])),
    why: { ...main, others: Object.fromEntries(others.map(({ cause, todo }) => [cause, todo])) },
  }
}

function millisOf({ at }: Entry): number {
  return Math.floor(at / 1000)
}

/**
 * Returns the facts that the rules decide for what the entry says has happened. The first entry
 * decides nothing. Where entries of release 1.0 leave two commands possible, that counts which gives
 * their facts, if one does.
 */
function decided(before: State | undefined, entry: Entry): readonly Fact[] {
  if (!before) return entry.facts
  const rows = entry.facts.filter((fact) => fact.is === 'row-written')
  const others = entry.facts.filter((fact) => fact.is !== 'row-written')
  const now = millisOf(entry)
  const written = JSON.stringify(others)
  const results = candidates({ before, facts: others, by: entry.by, now })
  const fitting = results.find((facts) => JSON.stringify(facts) === written) ?? results.at(-1) ?? []
  return [...fitting, ...rows.flatMap((row) => rowAgain(before, row, now))]
}

/** The digest follows from the row, which is compared as such. */
function rowAgain(before: State, { entry, digest = '' }: FactOf<'row-written'>, now: number): Fact[] {
  const facts = decide(before, { do: 'record-row', entry, digest }, now)
  return facts.flatMap((fact) => (fact.is === 'row-written' ? [{ is: fact.is, entry: fact.entry }] : []))
}

/** The facts of one write, without rows; the state before it, and its time (ms). */
type Written = { before: State; facts: readonly Fact[]; by: Entry['by']; now: number }

function candidates(written: Written): Fact[][] {
  const { before, facts, now } = written
  const [fact] = facts
  if (fact?.is === 'refund-asked') return [refundAgain(before, fact)]
  return fact ? commandsOf(fact, written).map((command) => decide(before, command, now)) : []
}

function commandsOf(fact: Fact, { before, facts, by, now }: Written): Command[] {
  switch (fact.is) {
    case 'attempted': {
      const attempts = facts.filter((one) => one.is === 'attempted')
      return [{ do: by === 'create-again' ? by : 'record-attempts', attempts }]
    }
    case 'notified':
    case 'seen':
    case 'unanswered':
    case 'stopped':
      return answersOf(facts, by)
    case 'returned':
      return [{ do: 'record-return' }]
    case 'cancel-asked':
      return [{ do: 'cancel', by: fact.by }]
    case 'expired':
      return [{ do: 'expire' }]
    case 'refund-answered':
      return [{ do: 'record-refund', id: fact.refund, asked: fact.asked, answer: refundAnswer(fact) }]
    case 'report-asked':
      return [{ do: 'send-report-again' }]
    case 'report-tried':
      return [{ do: 'record-report', tried: fact }]
    case 'also-paid':
      return [{ do: 'record-also-paid', job: fact.job, paid: fact.paid }]
    case 'cleared':
      return [{ do: 'clear-money' }]
    case 'time-asked':
      return [{ do: 'let-time-pass', to: fact.to }]
    case 'clock-moved':
      return [{ do: 'move-clock', next: now + fact.offset - before.clock.offset }]
    case 'created':
    case 'refund-asked':
    case 'row-written':
      return []
  }
}

type AnswerFact = FactOf<'seen' | 'unanswered' | 'stopped'>
type RecordAnswer = Extract<Command, { do: 'record-answer' }>

/** Returns the answers that facts tell, as they came, for each reason why the hub may have asked. */
function answersOf(facts: readonly Fact[], by: Entry['by']): Command[] {
  const notified = facts.find((one) => one.is === 'notified')
  const told = facts.filter(
    (one): one is AnswerFact => one.is === 'seen' || one.is === 'unanswered' || one.is === 'stopped',
  )
  const [first] = told
  if (!first) return notified ? [{ do: 'record-notification', notified }] : []
  const { account, reference, asked } = first
  const answers = told.map(answerOf)
  const asks = (reason: Question['why']): RecordAnswer => ({
    do: 'record-answer',
    question: { where: { account, reference }, asked, why: reason },
    answers,
    ...(notified ? { notified } : {}),
  })
  if (by && by !== 'create-again') return [asks(by)]
  const isBack =
    told.some((one) => one.is === 'seen' && one.back) || facts.some(({ is }) => is === 'returned')
  return isBack ? [asks('back')] : [asks('other'), asks('duty')]
}

function answerOf(fact: AnswerFact): RecordAnswer['answers'][number] {
  if (fact.is === 'seen') return { answer: { is: 'observed', ...fact.answer } }
  if (fact.is === 'stopped') return { answer: { is: 'observed', ...fact.answer }, stopped: fact.why }
  const { how, message, asked, notBefore } = fact
  if (how === 'unknown') return { answer: { is: 'unknown' } }
  const unavailable = { is: 'unavailable', message } as const
  if (how === 'refused') return { answer: { ...unavailable, accountRefused: true } }
  const retryAfter = notBefore === undefined ? {} : { retryAfter: (notBefore - asked) / 1000 }
  return { answer: { ...unavailable, ...retryAfter } }
}

/** The sentences about a refund that the PSP does not know, which `recordRefund` has always written. */
const IS_UNKNOWN = /^The payment service provider (was not reached|has dropped|does not know)/

function refundAnswer({
  outcome,
}: FactOf<'refund-answered'>): Extract<Command, { do: 'record-refund' }>['answer'] {
  switch (outcome.is) {
    case 'taken':
    case 'done':
      return { is: 'taken', reference: outcome.reference, state: outcome.is === 'done' ? 'done' : 'pending' }
    case 'not-yet':
      return outcome
    case 'failed':
      if (IS_UNKNOWN.test(outcome.message)) return { is: 'unknown' }
      return outcome.accountRefused
        ? { is: 'refused', message: outcome.message, accountRefused: true }
        : { is: 'failed', message: outcome.message }
    case 'no-answer':
      return IS_UNKNOWN.test(outcome.message)
        ? { is: 'unknown' }
        : { is: 'unavailable', message: outcome.message }
  }
}

/** Decides again about a refund, or about one that the PSP was to make later. */
function refundAgain(
  before: State,
  { refund: id, fingerprint, call, amount, description }: FactOf<'refund-asked'>,
) {
  const known = before.refunds.find((one) => one.id === id)
  if (known) return [askedAgain(known)]
  const found = decideRefund(before, { id, fingerprint, call, amount, description })
  return found.ok ? [...found.value] : []
}
