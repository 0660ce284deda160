import { toHex } from '../platform/crypto/bytes.ts'
import { hmac } from '../platform/crypto/hmac.ts'

/** Characters of a UUID before its mark of six hex digits. */
const UNMARKED = 30

/**
 * A random job id: a UUID of version 4 with 98 random bits, whose last six hex digits (24 bits) are a mark that only this hub
 * can make. It tells ids of the hub from invented ones before an object is asked; one in 16 million guesses passes. Ids that
 * are derived from an Idempotency-Key have none: the same key must give the same id in every release.
 */
export async function markedJobId(root: string): Promise<string> {
  const start = crypto.randomUUID().slice(0, UNMARKED)
  return start + (await markOf(root, start))
}

export async function isMarkedJobId(root: string, id: string): Promise<boolean> {
  return id.slice(UNMARKED) === (await markOf(root, id.slice(0, UNMARKED)))
}

async function markOf(root: string, start: string): Promise<string> {
  return toHex(await hmac('SHA-256', root, `job-id-mark:${start}`)).slice(0, 6)
}
