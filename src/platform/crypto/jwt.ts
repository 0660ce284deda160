import * as v from 'valibot'
import { utf8 } from './bytes.ts'

/** What a JSON Web Token says, and what is signed of it. Nothing of it is believed before `isSigned` has said so. */
export type Jwt = {
  keyId: string
  claims: Readonly<Record<string, unknown>>
  signed: string
  signature: string
}

/** RS256: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3). */
const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
/** Characters of a token, which a header of a request could hold. */
const LONGEST = 16_384
/** The least bits of a key (RFC 7518, section 3.3). */
const LEAST_BITS = 2048

/**
 * Takes a token (RFC 7519, RFC 7515) apart, or null where it is none that is signed with RS256 by a key that it names. The algorithm
 * is that of the caller, never that of the token: so `none`, and an HMAC keyed by the public key, are no tokens (RFC 8725, section 3.1).
 */
export function readJwt(text: string): Jwt | null {
  if (text.length > LONGEST) return null
  const [, head = '', body = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text) ?? []
  const [header, claims] = [objectIn(head), objectIn(body)]
  // `crit` names extensions that must be understood (RFC 7515, section 4.1.11): none are.
  if (!header || !claims || header['alg'] !== 'RS256' || 'crit' in header) return null
  const { kid: keyId } = header
  return typeof keyId === 'string' ? { keyId, claims, signed: `${head}.${body}`, signature } : null
}

function objectIn(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Base64url without padding (RFC 7515, section 2). */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
}

/** Whether a token was signed by the key. */
export async function isSigned({ signed, signature }: Jwt, key: CryptoKey): Promise<boolean> {
  try {
    return await crypto.subtle.verify(RS256, key, bytesOf(signature), utf8(signed))
  } catch {
    return false
  }
}

const KeySet = v.object({ keys: v.array(v.unknown()) })
const Key = v.object({
  kid: v.string(),
  kty: v.literal('RSA'),
  n: v.pipe(v.string(), v.minLength(LEAST_BITS / 6)),
  e: v.string(),
  alg: v.optional(v.literal('RS256')),
  use: v.optional(v.literal('sig')),
})

/** The keys of a key set (RFC 7517) that verify RS256, by their ids; others are left out. Throws where it is no key set. */
export async function readKeySet(set: unknown): Promise<ReadonlyMap<string, CryptoKey>> {
  const keys = new Map<string, CryptoKey>()
  for (const value of v.parse(KeySet, set).keys) {
    const key = v.safeParse(Key, value)
    if (!key.success) continue
    const { kid, kty, n, e } = key.output
    keys.set(kid, await crypto.subtle.importKey('jwk', { kty, n, e }, RS256, false, ['verify']))
  }
  return keys
}
