import canonicalize from 'canonicalize'
import { formatMicros } from '../contract/timestamp.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import type { ReadEntry } from './core/journal.ts'
import type { Fact, Personal } from './core/facts.ts'

/** What stands before the first entry. */
const BEFORE_ALL = '0'.repeat(64)

/** An entry with its place in the chain. `at` is ISO 8601 in UTC, to the microsecond. */
export type ChainedEntry = {
  number: number
  at: string
  version: number
  facts: Fact[]
  hash: string
}

/**
 * The entries of a journal, each with the SHA-256 of the hash before it and of itself (RFC 8785,
 * without `hash`). What is personal joins by its salted hash alone: erasing it breaks nothing.
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

/** The hash of what the first entry keeps apart. */
export function hashPersonal({ ipAddress, salt }: Personal): Promise<string> {
  return sha256(`${salt}${ipAddress}`)
}
