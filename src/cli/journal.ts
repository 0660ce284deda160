import * as v from 'valibot'
import type { JobJournal } from '../contract/job-detail.ts'
import { FIGURES, type Figure, figuresWith } from '../contract/money-figures.ts'
import { isCurrency, moneyText } from '../contract/money.ts'
import { cardText } from '../contract/terminals.ts'
import { Fact, type InstructionOutcome, type Outcome } from '../job/core/facts.ts'
import type { Observation, MoneyMove } from '../psp/answer.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { flag } from '../programs/program.ts'
import { type Lines, type View, printable, printableJson, textOf, viewOf } from '../programs/view.ts'
import { JOB, jobIdOf } from './named.ts'
import { ask } from './operator-api.ts'

export const journal = hubCommand({
  does: 'print every fact that the hub knows about a payment, in the order in which it learned them',
  args: { id: JOB, json: flag('print an entry a line, as JSON (NDJSON)') },
  run: async ({ id, json }, utc) => {
    const answer = await ask('showJournal', { params: { id: await jobIdOf(id) } })
    if (json) for (const entry of answer.entries) console.log(printableJson(entry))
    else console.log(textOf(showJournal(printable(answer), viewOf(process.stdout, utc))))
  },
})

/** Shows a fact on each line, with the number and the time of its entry. */
export function showJournal({ entries }: JobJournal, view: View): Lines {
  const facts = entries.flatMap((entry) => entry.facts.map((fact) => ({ ...entry, fact })))
  const created = facts.map(({ fact }) => readFact(fact)).find((fact) => fact?.is === 'created')
  const say = wordsFor(view, created?.order.currency ?? '')
  return [
    view.list('', facts, [
      ['entry', 'number'],
      ['time', 'at'],
      ['fact', ({ fact }) => fact.is.replaceAll('-', ' ')],
      ['what', ({ fact }) => short(say(fact))],
    ]),
    '',
    `hash of all: ${entries.at(-1)?.hash}`,
  ]
}

type ToldFact = JobJournal['entries'][number]['facts'][number]

function readFact(told: ToldFact): Fact | null {
  const read = v.safeParse(Fact, told)
  return read.success ? read.output : null
}

/** The longest text (characters) of a fact. `--json` has all of it. */
const LONGEST = 160

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function joined(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(', ')
}

/** Returns a function that says in words what a fact of a job is. */
function wordsFor({ time }: View, currency: string): (told: ToldFact) => string {
  const money = (minor: number, of = currency) =>
    isCurrency(of) ? moneyText(minor, of) : `${of} ${minor} minor units`.trim()
  const some = (minor: number | undefined, what: string) =>
    minor !== undefined && minor > 0 && `${money(minor)} ${what}`
  const at = (ms: number) => time(new Date(ms).toISOString())
  const later = (ms: number | undefined) => ms !== undefined && `not again before ${at(ms)}`

  function answerOf(answer: Observation): string {
    const { status, stage, progress, captureBefore, card, reason } = answer
    const figures: Partial<Record<Figure, number>> = answer
    return joined(
      status,
      progress ?? (stage && stage.is !== 'open' && stage.is),
      ...figuresWith('word').map((name) => some(figures[name], FIGURES[name].word)),
      captureBefore !== undefined && `to be captured before ${at(captureBefore)}`,
      card && cardText(card),
      reason,
    )
  }

  function moveOf({ kind, amount, currency: own, error }: MoneyMove): string {
    return `${kind.replaceAll('-', ' ')} of ${money(amount, own)}${error ? ` (${error})` : ''}`
  }

  function attemptOf(account: string, ms: number, outcome: Outcome): string {
    switch (outcome.is) {
      case 'took':
        return `${account} took the order as ${outcome.reference} after ${ms} ms`
      case 'refused':
        return `${account} refused the order: ${outcome.message}`
      case 'no-answer':
        return joined(`${account} did not answer: ${outcome.message}`, later(outcome.notBefore))
      case 'not-asked':
        return outcome.tooMany
          ? `${account} was not asked: it had too many orders at once`
          : `${account} was not asked: it has not answered since ${at(outcome.since)}`
    }
  }

  function answeredOf(id: string, outcome: InstructionOutcome): string {
    const said = 'message' in outcome ? outcome.message : outcome.reference
    return `${id}: ${outcome.is.replaceAll('-', ' ')}${said ? `, ${said}` : ''}`
  }

  return (told) => {
    const fact = readFact(told)
    switch (fact?.is) {
      case undefined: {
        const { is: _, ...members } = told
        return JSON.stringify(members)
      }
      case 'created': {
        const { orderNumber, amount, paymentMethod, capture, terminal } = fact.order
        return joined(
          `order ${orderNumber} of ${money(amount)} by ${paymentMethod}`,
          capture && 'to be reserved first',
          terminal && `at terminal ${terminal.id}`,
          !fact.isLive && 'test mode',
        )
      }
      case 'attempted':
        return attemptOf(fact.account, fact.ms, fact.outcome)
      case 'returned':
        return fact.gaveUp ? 'the customer gave up and came back' : 'the customer came back'
      case 'notified':
        return joined(
          `${fact.account} sent a notification${fact.reference === null ? '' : ` of ${fact.reference}`}`,
          fact.claims,
          ...(fact.moves ?? []).map(moveOf),
        )
      case 'seen':
        return `${fact.account} says of ${fact.reference}: ${answerOf(fact.answer)}`
      case 'unanswered':
        return joined(
          `${fact.account} did not say how ${fact.reference} stands: ${fact.message}`,
          later(fact.notBefore),
        )
      case 'stopped':
        return `${fact.reference} at ${fact.account} (${fact.why.replaceAll('-', ' ')}): ${answerOf(fact.answer)}`
      case 'expired':
        return 'the time to pay is over'
      case 'cancel-asked':
        return `the ${fact.by} wants to stop the payment`
      case 'instructed':
        return joined(
          `${fact.kind} of ${money(fact.amount)} of ${fact.reference} at ${fact.account}, ${fact.id}`,
          fact.final && 'and release the rest',
          fact.byHub && 'by the hub itself',
        )
      case 'refund-asked':
        return `refund of ${money(fact.amount)} of ${fact.reference} at ${fact.account}, ${fact.refund}`
      case 'instruction-answered':
        return answeredOf(fact.id, fact.outcome)
      case 'refund-answered':
        return answeredOf(fact.refund, fact.outcome)
      case 'report-asked':
        return 'an operator wants the newest report sent again'
      case 'report-tried':
        return joined(
          `report ${fact.revision} ${fact.result}: ${fact.outcome} after ${fact.ms} ms`,
          fact.answer,
          later(fact.notBefore),
        )
      case 'also-paid':
        return `${money(fact.paid)} of the order is paid by ${fact.job}`
      case 'cleared':
        return `${money(fact.amount)} that paid no order`
      case 'row-written':
        return `the index has entry ${fact.entry}`
      case 'time-asked':
      case 'clock-moved': {
        const ahead = fact.is === 'time-asked' ? fact.to : fact.offset
        return `the clock of the job is ${count(Math.round(ahead / 1000), 'second', 'seconds')} ahead`
      }
    }
  }
}
