import type { StoredJob } from '../contract/backup.ts'

type Parts = StoredJob['stored']

/** Reads all that an object stores. */
export function readParts({ kv }: DurableObjectStorage): Parts {
  return Array.from(kv.list(), ([key, value]) => ({ key, value }))
}

/**
 * Restores an object from a backup, whole or not at all. Returns `there` if the object already has all
 * of that, and perhaps more. Returns `other`, and changes nothing, if it stores something else.
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
