import { fromBase64, utf8 } from './bytes.ts'

type Hash = 'SHA-256' | 'SHA-512'

/** Imported keys of this isolate: importing one costs more than signing with it. */
const keys = new Map<string, Promise<CryptoKey>>()
const MOST_KEYS = 1000

const keyOf = (hash: Hash, secret: string, form: 'text' | 'base64'): Promise<CryptoKey> => {
  const name = `${hash}:${form}:${secret}`
  const known = keys.get(name)
  if (known) return known
  if (keys.size >= MOST_KEYS) keys.clear()
  const raw = form === 'text' ? utf8(secret) : fromBase64(secret)
  const key = crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign'])
  keys.set(name, key)
  return key
}

/** HMAC (RFC 2104) of a text, keyed by a secret's UTF-8 bytes, or by the bytes it is the base64 of. */
export const hmac = async (
  hash: Hash,
  secret: string,
  text: string,
  form: 'text' | 'base64' = 'text',
): Promise<ArrayBuffer> => crypto.subtle.sign('HMAC', await keyOf(hash, secret, form), utf8(text))
