import { type Command, type Question, decide } from './decide.ts'
import type { Entry, Fact, FactOf } from './facts.ts'
import { type InstructionResult, askedAgain, decideInstruction } from './instruct.ts'
import { findInstruction, refundAsked } from './instructions.ts'
import type { State } from './state.ts'

/**
 * Returns the facts that the rules decide today for what made the hub write the entry. The first entry
 * needs no decision. If an entry of release 1.0 fits two commands, the one that gives its facts counts.
 */
export function decided(before: State | undefined, entry: Entry): readonly Fact[] {
  if (!before) return entry.facts
  const rows = entry.facts.filter((fact) => fact.is === 'row-written')
  const others = entry.facts.filter((fact) => fact.is !== 'row-written')
  const now = Math.floor(entry.at / 1000)
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

/** One write to the journal: its facts without rows, the state before it, and its time (ms). */
type Write = { before: State; facts: readonly Fact[]; by: Entry['by']; now: number }

function candidates(written: Write): Fact[][] {
  const { before, facts, now } = written
  const [fact] = facts
  if (fact?.is === 'refund-asked') return [instructedAgain(before, refundAsked(fact), now)]
  if (fact?.is === 'instructed') return [instructedAgain(before, fact, now)]
  return fact ? commandsOf(fact, written).map((command) => decide(before, command, now)) : []
}

function commandsOf(fact: Fact, { before, facts, by, now }: Write): Command[] {
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
    case 'instruction-answered': {
      const id = fact.is === 'refund-answered' ? fact.refund : fact.id
      return [{ do: 'record-instruction', id, asked: fact.asked, answer: instructionAnswer(fact) }]
    }
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
    case 'instructed':
    case 'row-written':
      return []
  }
}

type AnswerFact = FactOf<'seen' | 'unanswered' | 'stopped'>
type RecordAnswer = Extract<Command, { do: 'record-answer' }>

/** Returns the answers of the PSP, recovered from facts, for each reason the hub may have had to ask. */
function answersOf(facts: readonly Fact[], by: Entry['by']): Command[] {
  const notified = facts.find((one) => one.is === 'notified')
  const answerFacts = facts.filter(
    (one): one is AnswerFact => one.is === 'seen' || one.is === 'unanswered' || one.is === 'stopped',
  )
  const [first] = answerFacts
  if (!first) return notified ? noticesOf(notified) : []
  const { account, reference, asked } = first
  const answers = answerFacts.map(answerOf)
  const asks = (reason: Question['why']): RecordAnswer => ({
    do: 'record-answer',
    question: { where: { account, reference }, asked, why: reason },
    answers,
    ...(notified ? { notified } : {}),
  })
  if (by && by !== 'create-again') return [asks(by)]
  const isBack =
    answerFacts.some((one) => one.is === 'seen' && one.back) || facts.some(({ is }) => is === 'returned')
  return isBack ? [asks('back')] : [asks('other'), asks('duty')]
}

/** A notification may have come while a question was under way, of which the journal says nothing. */
function noticesOf(notified: FactOf<'notified'>): Command[] {
  const began = [0, notified.came - 1]
  return began.map((at) => ({ do: 'record-notification', notified, began: at }))
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

function instructionAnswer({
  outcome,
}: FactOf<'instruction-answered' | 'refund-answered'>): InstructionResult {
  switch (outcome.is) {
    case 'taken':
    case 'done':
      return { is: 'taken', reference: outcome.reference, state: outcome.is === 'done' ? 'done' : 'pending' }
    case 'not-yet':
      return outcome
    case 'failed':
      if (outcome.overdue) return { is: 'unavailable', message: '' }
      return outcome.accountRefused
        ? { is: 'refused', message: outcome.message, accountRefused: true }
        : { is: 'failed', message: outcome.message }
    case 'no-answer':
      return { is: 'unavailable', message: outcome.message }
  }
}

/** Decides again about an instruction that is new, or that the PSP was asked to follow once more. */
function instructedAgain(before: State, fact: FactOf<'instructed'>, now: number): Fact[] {
  const known = findInstruction(before, fact.id)
  if (known) return [askedAgain(known)]
  if (fact.byHub) return decide(before, { ...fact, do: 'instruct' }, now)
  const found = decideInstruction(before, { ...fact, final: fact.final ?? false }, [], now)
  return found.ok ? [...found.value] : []
}
