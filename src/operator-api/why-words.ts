import { CAUSES, LINK, TODOS } from '../contract/causes.ts'
import { isoSecond as at } from '../contract/timestamp.ts'
import type { Why } from '../contract/why.ts'
import type { Finding } from '../job/core/finding.ts'
import { accountOf } from '../job/core/row.ts'
import type { State } from '../job/core/state.ts'
import { why, whyEnded } from '../job/core/why.ts'
import { valuesOf } from './why-values.ts'

/** Explains a payment's state in sentences. Times are ISO 8601 in UTC, to the second. */
export function whyInWords(state: State, now: number): Why {
  const { main, others } = why(state, now)
  const words = ({ cause, instruction }: Pick<Finding, 'cause' | 'instruction'>) =>
    filledIn(CAUSES[cause].happened, valuesOf(state, now, { instruction }))
  const ended = { ...whyEnded(state), instruction: undefined }
  const isEnd = state.standing.is === 'paid' || state.standing.is === 'ended'
  const story = isEnd && main.cause !== ended.cause ? `${words(ended)} ${words(main)}` : words(main)
  const todos = main.todo.map(({ do: name, reference }) => {
    const values = valuesOf(state, now, { instruction: main.instruction, reference })
    return { do: name, says: filledIn(commandIn(TODOS[name].says), values) }
  })
  return {
    cause: main.cause,
    happened: story + (isEnd ? deliveredIn(state) : '') + accountsBefore(state),
    move: CAUSES[main.cause].move,
    todo: todos.map(({ says }) => says).join(' '),
    todos,
    also: others.map(words),
  }
}

/** Returns what to do by the CLI. */
function commandIn(says: string): string {
  return says.replace(LINK, '$1').replaceAll('`', '')
}

function filledIn(sentence: string, values: Readonly<Record<string, () => string>>): string {
  return sentence.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => values[name]?.() ?? '')
}

/** Says when the shop received the newest report; an empty text if it has not. */
function deliveredIn({ report }: State): string {
  const taken =
    report?.state === 'delivered' ? report.history.findLast(({ result }) => result === 'delivered') : null
  return taken
    ? ` The shop received the report at ${at(taken.began + taken.ms)}: its receiver answered ${taken.outcome}.`
    : ''
}

/** Says which accounts the hub asked or passed over before the one that took the order. */
function accountsBefore(state: State): string {
  if (state.payments.length === 0) return ''
  const account = accountOf(state)
  const attempts = state.attempts.filter(
    (one) => one.account !== account && one.at <= state.created / 1000 + 10_000,
  )
  // An account that the hub both asked in vain and passed over counts as asked.
  const inVain = attempts.filter(({ outcome }) => outcome.is === 'no-answer')
  const before = new Map([...attempts, ...inVain].map((one) => [one.account, one])).values().toArray()
  const tried = before.flatMap(({ account: name, outcome }) =>
    outcome.is === 'no-answer'
      ? `${name}, ${outcome.accountRefused ? 'which refused its credentials' : 'which did not answer'}`
      : [],
  )
  const skipped = before.flatMap(({ account: name, outcome }) =>
    outcome.is === 'not-asked'
      ? ` ${name} was passed over because ${outcome.tooMany ? 'too many orders came at once' : `it had not answered since ${at(outcome.since)}`}.`
      : [],
  )
  const went = tried.length > 0 ? ` The order went to ${account} after ${tried.join(', and ')}.` : ''
  return went + skipped.join('')
}
