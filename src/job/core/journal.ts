import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { Integer } from '../../contract/values.ts'
import { evolve } from './evolve.ts'
import { type Entry, Fact, Personal } from './facts.ts'
import type { State } from './state.ts'

/** The format that this release writes. A fact that an older release cannot read raises it. */
export const FORMAT = 1

/**
 * An entry of a job's journal as its object stores it, under its number. `version` is the lowest
 * format that understands its facts. `personal` is the customer's: it can be erased, and is the
 * only part of a journal that ever changes.
 */
export const StoredEntry = v.object({
  version: Integer,
  at: Integer,
  facts: v.pipe(v.array(Fact), v.minLength(1)),
  personal: v.exactOptional(Personal),
})
export type StoredEntry = v.InferOutput<typeof StoredEntry>

/** The key of an entry: keys sort as their numbers do. */
export function keyOf(number: number): string {
  return String(number).padStart(6, '0')
}

/** An entry as it was read, with the version of its format. */
export type ReadEntry = Entry & { version: number }

/** Reads an entry. The detail says where it is wrong, never what it is: it goes to the log. */
export function readEntry(number: number, stored: unknown): Result<ReadEntry, { detail: string }> {
  const { version } = v.is(v.looseObject({ version: Integer }), stored) ? stored : { version: 0 }
  if (version > FORMAT)
    return refuse({ detail: `entry ${number} is of format ${version}; this release reads up to ${FORMAT}` })
  // As it is stored, with members that a later release added: the hash chain covers them too.
  if (v.is(StoredEntry, stored)) return ok({ number, ...stored })
  const { issues = [] } = v.safeParse(StoredEntry, stored)
  const where = issues.map((issue) => v.getDotPath(issue) ?? 'as a whole').join(', ')
  return refuse({ detail: `entry ${number} is not of its form: ${where}` })
}

/** How a job stands after some entries, the first of them first; null for none. */
export function fold(entries: readonly Entry[], start: State | null = null): State | null {
  return entries.reduce<State | null>((state, entry) => evolve(state, entry), start)
}
