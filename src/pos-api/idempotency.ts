import { sha256 } from '../platform/crypto/hash.ts'
import { hmac } from '../platform/crypto/signing.ts'
import { type Order, comparedPart } from '../contract/order.ts'
import { uuidV8 } from '../contract/ids.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { Refusal } from '../platform/http/refusal.ts'

/** Returns the key (draft-ietf-httpapi-idempotency-key-header), or null without one. */
export function idempotencyKeyOf(request: Request): Result<string | null, Refusal> {
  const key = request.headers.get('idempotency-key')
  if (key === null || /^[\x21-\x7e]{1,255}$/.test(key)) return ok(key)
  const detail = 'The Idempotency-Key must have 1 to 255 visible ASCII characters.'
  return refuse({ code: 'idempotency-key-malformed', detail, field: 'Idempotency-Key' })
}

/** Derives the same id for every retry. Its key is the POS's id, because secrets of the hub may change. */
export async function jobIdOf(pos: string, key: string): Promise<string> {
  return uuidV8(new Uint8Array(await hmac('SHA-256', pos, `job-id:${key}`)))
}

/** Derives the id of a refund, a capture or a release: the same key gives each kind another id. */
export async function instructionIdOf(kind: string, job: string, key: string): Promise<string> {
  return uuidV8(new Uint8Array(await hmac('SHA-256', job, `${kind}-id:${key}`)))
}

/**
 * Returns a hash of everything that a repeated create must have in common with the first. `terminal` is
 * the name that the point of sale sent, so that a repetition finds its job even if that terminal, or
 * the default one, is no longer there.
 */
export function fingerprintOf(order: Order, terminal?: string): Promise<string> {
  return sha256(JSON.stringify({ ...comparedPart(order), ...(terminal === undefined ? {} : { terminal }) }))
}
