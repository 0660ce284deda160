import { alarmsOf, allowed } from './allows.ts'
import { decided } from './decided-again.ts'
import { duties, nextReportAt } from './duties.ts'
import type { Entry } from './facts.ts'
import { fold, keyOf, readEntry, undigestedRows } from './journal.ts'
import { rowOf } from './row.ts'
import {
  capturesOf,
  represent,
  representCapture,
  representCreated,
  representRefund,
  representReports,
} from './show.ts'
import type { State } from './state.ts'
import { why } from './why.ts'
import { ofKind } from './payment.ts'

/*
 * What a release makes of an existing journal: `hub rehearse` plays the same journals with two releases,
 * each with its own version of this file, and compares.
 */

/**
 * The views that `hub rehearse` compares after each entry: whether it can be read; what the API answers, with
 * captures and refunds; the reports and their tries; the row of the index; the duties and their times (ms);
 * when the object's alarm rings; why the payment stands as it does; what anybody may do next; and the facts
 * that the rules decide again.
 */
export const KINDS = [
  'fold',
  'answer',
  'report',
  'row',
  'duties',
  'alarm',
  'why',
  'allows',
  'decisions',
] as const
type Kind = (typeof KINDS)[number]
/** All views after an entry; only `fold` if the entry, or one before it, cannot be read. */
export type Views = Partial<Record<Kind, unknown>>

/** A value that the object of a job stores under a key. */
type StoredValue = { key: string; value: unknown }

/**
 * How many entries at either end of a journal have views. A view repeats all that came before it, so
 * the views of a long journal would have no bound.
 */
const VIEWED = 250

/** Plays the entries of a journal, the oldest first. `retention`: how long (ms) the hub keeps an ended job. */
export function* replay(journal: readonly StoredValue[], retention: number): Generator<Views> {
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

/** Reads and folds one more entry. Returns why it cannot; null if it can. */
function readInto(entries: Entry[], states: State[], key: string, value: unknown): string | null {
  const number = entries.length + 1
  if (key !== keyOf(number)) return `lacks entry ${number}`
  const read = readEntry(number, value)
  if (!read.ok) return read.error.detail
  entries.push(read.value)
  try {
    // Release 1.0 stored no digest of a row: fold from the row's own entry to find it.
    const from = Math.min(number, ...undigestedRows(read.value.facts))
    const state = fold(entries.slice(from - 1), states[from - 2] ?? null)
    if (state) states.push(state)
    return null
  } catch (error) {
    return `entry ${number} cannot be folded: ${String(error)}`
  }
}

function viewsOf(state: State, entry: Entry, retention: number): Views {
  const now = Math.floor(entry.at / 1000)
  const owed = duties(state, now, retention)
  const planned = Map.groupBy(owed, (duty) => duty.do)
  const { main, others } = why(state, now)
  const captures = capturesOf(state).map((one) => representCapture(state, one))
  return {
    answer: {
      ...(entry.number === 1 ? { created: representCreated(state) } : {}),
      job: represent(state),
      refunds: ofKind(state, 'refund').map((refund) => representRefund(state, refund)),
      ...(captures.length > 0 ? { captures } : {}),
    },
    report: representReports(state, nextReportAt(state, now)),
    row: rowOf(state),
    duties: Object.fromEntries(Array.from(planned, ([name, all]) => [name, all.map(({ at }) => at)])),
    alarm: alarmsOf(state, owed, now),
    allows: allowed(state, now),
    why: {
      cause: main.cause,
      todo: main.todo,
      others: Object.fromEntries(others.map(({ cause, todo }) => [cause, todo])),
    },
  }
}
