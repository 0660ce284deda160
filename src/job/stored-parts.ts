import type { StoredJob } from '../contract/backup.ts'
import { isDerivedId } from '../contract/ids.ts'
import { isoTime } from '../contract/timestamp.ts'
import type { Unreadable } from '../platform/stored.ts'
import { fold, keyOf, readEntry } from './core/journal.ts'
import { ASIDE } from './journal-store.ts'
import { storedTombstone } from './tombstone.ts'

type Parts = StoredJob['stored']

/** Reads all that an object stores. */
export function readParts({ kv }: DurableObjectStorage): Parts {
  return Array.from(kv.list(), ([key, value]) => ({ key, value }))
}

/**
 * Restores an object from a backup, whole or not at all. Returns `there` if the object has all of
 * that already, and perhaps more. Returns `other` if the object stores something else, which stays.
 */
export function restoreParts(storage: DurableObjectStorage, parts: Parts): 'restored' | 'there' | 'other' {
  const there = new Map(readParts(storage).map(({ key, value }) => [key, textOf(value)]))
  if (there.size > 0)
    return parts.every(({ key, value }) => there.get(key) === textOf(value)) ? 'there' : 'other'
  // Without an `await` between them, the platform stores all of these together.
  for (const { key, value } of parts) storage.kv.put(key, value)
  return 'restored'
}

/** Leaves out personal data, which may have been erased since the backup. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => (name === 'personal' ? undefined : part))
}

/**
 * Returns why an object would not have stored these parts for a job of that day; null where it would.
 * `newer`: a later release may have.
 */
export function unfitParts({ id, stored }: StoredJob, day: string, now: number): Unreadable | null {
  const broken = (detail: string) => ({ is: 'broken', detail }) as const
  const [first] = stored
  if (first?.key === 'tombstone') {
    const tombstone = storedTombstone.read(first.value)
    if (!tombstone.ok) return tombstone.error
    const isRight = stored.length === 1 && isDerivedId(id) && tombstone.value.at <= now
    return isRight ? null : broken('is no tombstone of this id')
  }
  const isAside = ({ key }: { key: string }) => key.startsWith(ASIDE.prefix)
  const journal = stored
    .filter((part) => !isAside(part))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const read = [...journal, ...stored.filter(isAside)].map(({ value }, at) => readEntry(at + 1, value))
  const unread = read.find((entry) => !entry.ok)
  if (unread && !unread.ok) return { is: 'newer', ...unread.error }
  const entries = read.slice(0, journal.length).flatMap((entry) => (entry.ok ? [entry.value] : []))
  if (journal.some(({ key }, at) => key !== keyOf(at + 1))) return broken('is no journal without gaps')
  if (entries.some(({ at }, place) => at <= (entries[place - 1]?.at ?? 0)))
    return broken('is no journal whose times increase')
  if (entries[0]?.facts[0]?.is !== 'created') return broken('does not begin with the creation of a job')
  const { id: own, created } = fold(entries) ?? { id: '', created: 0 }
  if (own !== id) return broken('is the journal of another job')
  return created <= now * 1000 && isoTime(created / 1000).startsWith(day)
    ? null
    : broken(`is of another day than ${day}`)
}
