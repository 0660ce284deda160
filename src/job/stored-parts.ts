import type { StoredJob } from '../contract/backup.ts'

type Parts = StoredJob['stored']

/** All that an object stores, as it is. */
export function readParts({ kv }: DurableObjectStorage): Parts {
  return Array.from(kv.list(), ([key, value]) => ({ key, value }))
}

/**
 * Stores what a backup has of an object, whole or not at all. `there`: it is stored already, and
 * the object may have gone on. `other`: the object has something else, which stays.
 */
export function restoreParts(storage: DurableObjectStorage, parts: Parts): 'restored' | 'there' | 'other' {
  const there = new Map(readParts(storage).map(({ key, value }) => [key, textOf(value)]))
  if (there.size > 0)
    return parts.every(({ key, value }) => there.get(key) === textOf(value)) ? 'there' : 'other'
  // Nothing is awaited between these: they are stored all together.
  for (const { key, value } of parts) storage.kv.put(key, value)
  return 'restored'
}

/** Without what is personal, which may have been erased since. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => (name === 'personal' ? undefined : part))
}
