import type { StoredJob } from '../contract/backup.ts'
import { isDerivedId } from '../contract/ids.ts'
import { isoDay } from '../contract/timestamp.ts'
import { fold, keyOf, readEntry } from '../job/core/journal.ts'
import { ASIDE } from '../job/journal-store.ts'
import { storedTombstone } from '../job/tombstone.ts'
import type { Unreadable } from '../platform/stored.ts'

/**
 * Returns why no object can have stored these parts for a job of that day; null if one can. `newer`: a later
 * release may have stored them.
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
  return created <= now * 1000 && isoDay(created / 1000) === day
    ? null
    : broken(`is of another day than ${day}`)
}
