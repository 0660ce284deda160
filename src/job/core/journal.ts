import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { Integer } from '../../contract/values.ts'
import { evolve } from './evolve.ts'
import { type Entry, Fact, type FactOf, Personal, Writer } from './facts.ts'
import { rowDigest } from './row.ts'
import type { State } from './state.ts'

/** The newest format. Raise it for each fact that older releases cannot read. */
export const FORMAT = 3

/** Moves of money that release 1.0 does not know. */
const NEW_MOVES: ReadonlySet<string> = new Set(['capture', 'capture-failed', 'release-failed'])

/**
 * Returns the lowest format that understands a fact. Release 1.0 writes format 1: it would capture an
 * order whose point of sale captures manually. Release 1.1 writes format 2, and would take listed refunds for none.
 */
function formatOf(fact: Fact): number {
  if (fact.is === 'created') return fact.order.capture === 'manual' || fact.order.terminal ? 2 : 1
  if (fact.is === 'notified') return fact.moves?.some(({ kind }) => NEW_MOVES.has(kind)) ? 2 : 1
  if (fact.is === 'seen' || fact.is === 'stopped') return hasLists(fact.answer) ? 3 : 1
  return fact.is === 'instructed' || fact.is === 'instruction-answered' ? 2 : 1
}

function hasLists({ transfers = {} }: FactOf<'seen'>['answer']): boolean {
  return Object.values(transfers).some((list) => list.length > 0)
}

export function versionOf(facts: readonly Fact[]): number {
  return Math.max(1, ...facts.map(formatOf))
}

/**
 * An entry of a journal as the job's object stores it, under its number. `version`: the lowest
 * format that understands its facts. `personal`: the customer's personal data, which the hub can
 * erase; nothing else in a journal ever changes.
 */
export const StoredEntry = v.object({
  version: Integer,
  at: Integer,
  facts: v.pipe(v.array(Fact), v.minLength(1)),
  by: v.exactOptional(Writer),
  personal: v.exactOptional(Personal),
})
export type StoredEntry = v.InferOutput<typeof StoredEntry>

const LAST_SHORT = 999_999

/** Returns the storage key of an entry. Keys sort as their numbers do, even beyond six digits. */
export function keyOf(number: number): string {
  const digits = String(number).padStart(6, '0')
  return number > LAST_SHORT ? `${LAST_SHORT}.${digits.padStart(12, '0')}` : digits
}

/** An entry of a format that this release does not read. */
const Later = v.looseObject({ version: v.pipe(Integer, v.gtValue(FORMAT)) })

export type ReadEntry = Entry & { version: number }

/** Reads a stored entry. An error names the wrong fields, but no values: it goes to the log. */
export function readEntry(number: number, stored: unknown): Result<ReadEntry, { detail: string }> {
  if (v.is(Later, stored)) {
    const { version } = stored
    return refuse({ detail: `entry ${number} is of format ${version}; this release reads up to ${FORMAT}` })
  }
  // Returns it as stored, not as parsed: the hash chain also covers members that a later release
  // added.
  if (v.is(StoredEntry, stored)) return ok({ number, ...stored })
  const { issues = [] } = v.safeParse(StoredEntry, stored)
  const where = issues.map((issue) => v.getDotPath(issue) ?? 'as a whole').join(', ')
  return refuse({ detail: `entry ${number} is not of its form: ${where}` })
}

/** Folds entries, the oldest first, into the state of the job; null for no entries. */
export function fold(entries: readonly Entry[], start: State | null = null): State | null {
  const undigested = new Set(entries.flatMap(({ facts }) => undigestedRows(facts)))
  const digests = new Map<number, string>()
  return entries.reduce<State | null>((before, entry) => {
    // An object folds its journal each time it starts, so only journals of 1.0 pay for the digests.
    const state = evolve(before, undigested.size === 0 ? entry : digested(entry, digests))
    if (undigested.has(entry.number)) digests.set(entry.number, rowDigest(state))
    return state
  }, start)
}

/**
 * Returns whether the index has the row that the journal says, and no later one: the queue may have
 * taken a later row just before the object died. `entries`: the whole journal.
 */
export function isRowSure(entries: readonly Entry[], { index }: State): boolean {
  let state = fold(entries.slice(0, index.written))
  return entries
    .slice(index.written)
    .every((entry) => rowDigest((state = evolve(state, entry))) === index.digest)
}

/** Returns the entries whose rows were written without a digest, by these facts. */
export function undigestedRows(facts: readonly Fact[]): number[] {
  return facts.filter(isUndigested).map(({ entry }) => entry)
}

/** Release 1.0 stored no digest of a written row. It follows from the state after the row's entry. */
function isUndigested(fact: Fact): fact is FactOf<'row-written'> {
  return fact.is === 'row-written' && fact.digest === undefined
}

function digested(entry: Entry, digests: ReadonlyMap<number, string>): Entry {
  const facts = entry.facts.map((fact) =>
    isUndigested(fact) ? { ...fact, digest: digests.get(fact.entry) ?? '' } : fact,
  )
  return { ...entry, facts }
}
