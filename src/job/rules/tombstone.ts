import * as v from 'valibot'
import { DAY } from '../../contract/timestamp.ts'

/**
 * What is left of a purged job whose id was derived from an Idempotency-Key, so that the key makes no second job, and no
 * second payment. `fingerprint` is the order's (SHA-256); `at` (ms) is when the job was purged.
 */
export const Tombstone = v.object({ fingerprint: v.string(), at: v.number() })
export type Tombstone = v.InferOutput<typeof Tombstone>

/** Days that a tombstone stays. */
const TOMBSTONE_DAYS = 400

/** When (ms) a tombstone goes. */
export function endOfTombstone({ at }: Tombstone): number {
  return at + TOMBSTONE_DAYS * DAY
}
