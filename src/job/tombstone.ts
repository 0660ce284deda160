import * as v from 'valibot'
import { DAY } from '../contract/timestamp.ts'
import { isDerivedId } from '../contract/ids.ts'
import type { State } from './core/state.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'

/**
 * What is left of a purged job whose id was made of an Idempotency-Key, so that the key makes no
 * second payment: the order's fingerprint (SHA-256), and when (ms) the job was purged.
 */
const Tombstone = v.object({ fingerprint: v.string(), at: v.number() })
type Tombstone = v.InferOutput<typeof Tombstone>

/** What is known under an id of an Idempotency-Key: its job, or that it was purged. */
export type KnownJob = { is: 'job'; job: State } | { is: 'purged'; fingerprint: string }

/** Days that a tombstone stays. */
const TOMBSTONE_DAYS = 400

const KEY = 'tombstone'

/** A tombstone as the object of a purged job stores it, under the key `tombstone`. */
export const storedTombstone = storedShape(Tombstone)

/** The tombstone of an object without a job, or null. Throws where it cannot be read. */
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
  await storage.setAlarm(tombstone.at + TOMBSTONE_DAYS * DAY)
}

/** Deletes a tombstone whose time is over. The alarm of one that has time left is set again. */
export async function endTombstone(storage: DurableObjectStorage, now: number): Promise<void> {
  const tombstone = readTombstone(storage)
  if (!tombstone) return
  const end = tombstone.at + TOMBSTONE_DAYS * DAY
  await (now < end ? storage.setAlarm(end) : storage.deleteAll())
}
