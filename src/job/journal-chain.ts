import canonicalize from 'canonicalize'
import { formatMicros } from '../contract/timestamp.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import type { ReadEntry } from './core/journal.ts'
import type { Fact, Personal } from './core/facts.ts'

const BEFORE_ALL = '0'.repeat(64)

/** An entry with its place in the chain. `at` is ISO 8601 in UTC, to the microsecond. */
type ChainedEntry = {
  number: number
  at: string
  version: number
  facts: Fact[]
  hash: string
}

/**
 * Returns the entries of a journal with their hashes. Each is the SHA-256 of the hash before it and
 * of the entry as canonical JSON (RFC 8785), without `hash`. Only a salted hash of the personal data
 * joins the chain, so erasing the data does not break it.
 */
export async function chainOf(entries: readonly ReadEntry[]): Promise<ChainedEntry[]> {
  const chained: ChainedEntry[] = []
  let previous = BEFORE_ALL
  for (const { number, at, version, facts } of entries) {
    const entry = { number, at: formatMicros(at), version, facts: [...facts] }
    previous = await sha256(`${previous}${canonicalize(entry)}`)
    chained.push({ ...entry, hash: previous })
  }
  return chained
}

/** Hashes the personal data that the first entry keeps apart. */
export function hashPersonal({ ipAddress, salt }: Personal): Promise<string> {
  return sha256(`${salt}${ipAddress}`)
}
