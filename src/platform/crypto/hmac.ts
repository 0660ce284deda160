import { bounded } from '../bounded.ts'
import { fromBase64, utf8 } from './hash.ts'

type Hash = 'SHA-256' | 'SHA-512'

/**
 * Imported keys of this isolate: importing one costs more than signing with it. Keys, and no
 * promises of them: a promise of one request may never be fulfilled for another, which waits in
 * another object.
 */
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

/**
 * HMAC (RFC 2104) of a text, keyed by a secret's UTF-8 bytes, or by the bytes it is the base64 of.
 */
export async function hmac(
  hash: Hash,
  secret: string,
  text: string,
  form: 'text' | 'base64' = 'text',
): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await keyOf(hash, secret, form), utf8(text))
}
