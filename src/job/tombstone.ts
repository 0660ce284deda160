import * as v from 'valibot'
import { DAY } from '../contract/timestamp.ts'
import { isDerivedId } from '../contract/ids.ts'
import type { State } from './core/state.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'

/**
 * The rest of a purged job whose id came from an Idempotency-Key, so that the key makes no second
 * payment. `fingerprint`: SHA-256 of the order. `at`: when (ms) the hub purged the job.
 */
const Tombstone = v.object({ fingerprint: v.string(), at: v.number() })
type Tombstone = v.InferOutput<typeof Tombstone>

/** The job that an Idempotency-Key has made, or what is left of it. */
export type KnownJob = { is: 'job'; job: State } | { is: 'purged'; fingerprint: string }

const TOMBSTONE_DAYS = 400

const KEY = 'tombstone'

/** A tombstone as the object of a purged job stores it. */
export const storedTombstone = storedShape(Tombstone)

/** Reads the tombstone of a purged job; null without one. Throws when it is unreadable. */
export function readTombstone({ kv }: DurableObjectStorage): Tombstone | null {
  const stored = kv.get(KEY)
  if (stored === undefined) return null
  const tombstone = storedTombstone.read(stored)
  if (!tombstone.ok) throw new UnreadableError('the tombstone', tombstone.error)
  return tombstone.value
}

/**
 * Deletes a job with all that its object holds. If its id came from an Idempotency-Key, leaves a
 * tombstone, in the same write, and sets an alarm that ends the tombstone.
 */
export async function purgeStorage(
  storage: DurableObjectStorage,
  job: { id: string; fingerprint: string },
  now: number,
): Promise<void> {
  if (!isDerivedId(job.id)) return storage.deleteAll()
  const tombstone: Tombstone = { fingerprint: job.fingerprint, at: now }
  // Without an `await` before the last of these, the platform stores all of them or none.
  const keys = Array.from(storage.kv.list(), ([key]) => key)
  for (const key of keys) storage.kv.delete(key)
  storage.kv.put(KEY, storedTombstone.write(tombstone))
  await storage.setAlarm(tombstone.at + TOMBSTONE_DAYS * DAY)
}

/** Deletes a tombstone whose time is over; else sets its alarm again. */
export async function endTombstone(storage: DurableObjectStorage, now: number): Promise<void> {
  const tombstone = readTombstone(storage)
  if (!tombstone) return
  const end = tombstone.at + TOMBSTONE_DAYS * DAY
  await (now < end ? storage.setAlarm(end) : storage.deleteAll())
}
