import * as v from 'valibot'
import { DAY } from '../contract/timestamp.ts'
import { isDerivedId } from '../contract/ids.ts'
import type { State } from './core/state.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'

/**
 * What is left of a purged job whose id was derived from an Idempotency-Key, so that the key makes
 * no second job, and no second payment. `fingerprint` is the order's (SHA-256); `at` (ms) is when
 * the job was purged.
 */
const Tombstone = v.object({ fingerprint: v.string(), at: v.number() })
type Tombstone = v.InferOutput<typeof Tombstone>

/**
 * What is known under an id that was derived from an Idempotency-Key: its job, or that it was
 * purged.
 */
export type KnownJob = { is: 'job'; job: State } | { is: 'purged'; fingerprint: string }

/** Days that a tombstone stays. */
const TOMBSTONE_DAYS = 400

/** When (ms) a tombstone goes. */
function endOfTombstone({ at }: Tombstone): number {
  return at + TOMBSTONE_DAYS * DAY
}

const KEY = 'tombstone'

/** A tombstone as the object of a purged job stores it, under the key `tombstone`. */
export const storedTombstone = storedShape(Tombstone)

/**
 * The tombstone of an object, or null. It counts only where there is no job. Throws an
 * `UnreadableError`: one that cannot be read is there.
 */
export function readTombstone({ kv }: DurableObjectStorage): Tombstone | null {
  const stored = kv.get(KEY)
  if (stored === undefined) return null
  const tombstone = storedTombstone.read(stored)
  if (!tombstone.ok) throw new UnreadableError('the tombstone', tombstone.error)
  return tombstone.value
}

/**
 * Deletes a job with all that its object holds. One that was made under an Idempotency-Key leaves a
 * tombstone, in the same write, and an alarm that ends it.
 */
export async function purgeStorage(
  storage: DurableObjectStorage,
  job: { id: string; fingerprint: string },
  now: number,
): Promise<void> {
  if (!isDerivedId(job.id)) return storage.deleteAll()
  const tombstone: Tombstone = { fingerprint: job.fingerprint, at: now }
  // Nothing is awaited before the last of these: they are stored all together, or not at all.
  const keys = Array.from(storage.kv.list(), ([key]) => key)
  for (const key of keys) storage.kv.delete(key)
  storage.kv.put(KEY, storedTombstone.write(tombstone))
  await storage.setAlarm(endOfTombstone(tombstone))
}

/**
 * Sets the alarm of a tombstone again that the platform has given up, once its key is used or a row
 * of the index still names its job. Where neither happens, the tombstone stays. It is the alarm
 * that deletes it, also when its time is over: a create may be under way.
 */
export async function restoreTombstoneAlarm(storage: DurableObjectStorage, now: number): Promise<void> {
  if ((await storage.getAlarm()) !== null) return
  // It is read again: while it was waited for, the alarm may have deleted it, and a new job may
  // have set its own.
  const tombstone = readTombstone(storage)
  if (tombstone) await storage.setAlarm(Math.max(endOfTombstone(tombstone), now + 1000))
}

/** Deletes a tombstone whose time is over. The alarm of one that has time left is set again. */
export async function endTombstone(storage: DurableObjectStorage, now: number): Promise<void> {
  const tombstone = readTombstone(storage)
  if (!tombstone) return
  const end = endOfTombstone(tombstone)
  await (now < end ? storage.setAlarm(end) : storage.deleteAll())
}
