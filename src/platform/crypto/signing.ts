import { bounded } from '../bounded.ts'
import { fromBase64, utf8, toHex, toBase64 } from './hash.ts'

type Hash = 'SHA-256' | 'SHA-512'

/** Imported keys: importing costs more than signing. Not promises, which may belong to other requests. */
const keys = bounded<CryptoKey>()

async function keyOf(hash: Hash, secret: string, form: 'text' | 'base64'): Promise<CryptoKey> {
  const name = `${hash}:${form}:${secret}`
  const known = keys.get(name)
  if (known) return known
  const raw = form === 'text' ? utf8(secret) : fromBase64(secret)
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign'])
  keys.set(name, key)
  return key
}

/** Computes an HMAC (RFC 2104). `form` says how `secret` encodes the key's bytes. */
export async function hmac(
  hash: Hash,
  secret: string,
  text: string,
  form: 'text' | 'base64' = 'text',
): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await keyOf(hash, secret, form), utf8(text))
}

/** The length of a mark in hex digits: 24 bits, so one in 16 million guesses passes. */
export const MARK = 6

/** Adds a mark to an id that only this hub can make, so that invented ids start no object. */
export async function markId(root: string, id: string): Promise<string> {
  return id + toHex(await hmac('SHA-256', root, `id-mark:${id}`)).slice(0, MARK)
}

export async function isMarkedId(root: string, id: string): Promise<boolean> {
  return id === (await markId(root, id.slice(0, -MARK)))
}

/** A secret has so many bytes of the hash: 48 bytes need no padding in base64. */
const SECRET_BYTES = 48

/** Secrets that this isolate derived: it signs many answers with the same one. */
const derived = bounded<string>()

/**
 * Derives the signing secret of an owner, such as a point of sale; it is never stored. It has 64
 * base64 characters. Its text is the key of `X-Signature`; the bytes that it encodes are the key of
 * the Standard Webhooks signature.
 */
export async function signingSecret(root: string, owner: string, version: number): Promise<string> {
  const name = `${root}:${owner}:${version}`
  const known = derived.get(name)
  if (known) return known
  const hash = await hmac('SHA-512', root, `signing-secret:${owner}:${version}`)
  const secret = toBase64(hash.slice(0, SECRET_BYTES))
  derived.set(name, secret)
  return secret
}

/** Signs a raw body for `X-Signature`: hex HMAC-SHA512. */
export async function bodySignature(secret: string, body: string): Promise<string> {
  return toHex(await hmac('SHA-512', secret, body))
}

/** Returns the secrets that an owner may use: the present one, and the previous one, if any. */
export async function signingSecrets(
  root: string,
  owner: string,
  version: number,
): Promise<[present: string, ...previous: string[]]> {
  const present = await signingSecret(root, owner, version)
  return version > 1 ? [present, await signingSecret(root, owner, version - 1)] : [present]
}

/** Makes headers of Standard Webhooks 1.0, signed with each secret; `timestamp` in Unix seconds. */
export async function webhookHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Promise<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`
  const signatures = await Promise.all(
    secrets.map(async (secret) => `v1,${toBase64(await hmac('SHA-256', secret, content, 'base64'))}`),
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
