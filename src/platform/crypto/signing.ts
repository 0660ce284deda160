import { bounded } from '../bounded.ts'
import { fromBase64, utf8, toHex, toBase64, sha256 } from './hash.ts'

type Hash = 'SHA-256' | 'SHA-512'

/** Importing costs more than signing. No promises: another request's may never be fulfilled. */
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

/** HMAC (RFC 2104) of a text, keyed by a secret's UTF-8 bytes or what it is the base64 of. */
export async function hmac(
  hash: Hash,
  secret: string,
  text: string,
  form: 'text' | 'base64' = 'text',
): Promise<ArrayBuffer> {
  return crypto.subtle.sign('HMAC', await keyOf(hash, secret, form), utf8(text))
}

/** The mark: six hex digits, 24 bits. One in 16 million guesses passes. */
export const MARK = 6

/** An id with a mark that only this hub can make: no object is started for an invented id. */
export async function markId(root: string, id: string): Promise<string> {
  return id + toHex(await hmac('SHA-256', root, `id-mark:${id}`)).slice(0, MARK)
}

export async function isMarkedId(root: string, id: string): Promise<boolean> {
  return id === (await markId(root, id.slice(0, -MARK)))
}

/** What stands for a job's id in addresses of customers and PSPs: the id, a dot, its mark. */
export function linkOf(root: string, id: string): Promise<string> {
  return markId(root, `${id}.`)
}

/** 48 bytes fill base64 without padding. */
const SECRET_BYTES = 48

/** Secrets that this isolate has derived: each answer of a POS is signed with the same one. */
const derived = bounded<string>()

/**
 * A POS's signing secret: 64 base64 characters, derived and never stored. As text it keys
 * `X-Signature`, and what it is the base64 of keys the Standard Webhooks signature.
 */
export async function signingSecret(root: string, pos: string, version: number): Promise<string> {
  const name = `${root}:${pos}:${version}`
  const known = derived.get(name)
  if (known) return known
  const secret = await derive(root, pos, version)
  derived.set(name, secret)
  return secret
}

async function derive(root: string, pos: string, version: number): Promise<string> {
  return toBase64((await hmac('SHA-512', root, `signing-secret:${pos}:${version}`)).slice(0, SECRET_BYTES))
}

/** `X-Signature`: hex HMAC-SHA512 of the raw body. */
export async function bodySignature(secret: string, body: string): Promise<string> {
  return toHex(await hmac('SHA-512', secret, body))
}

/** The secrets that a POS may be using: the present one, and in a change the one before. */
export async function signingSecrets(
  root: string,
  pos: string,
  version: number,
): Promise<[present: string, ...before: string[]]> {
  const present = await signingSecret(root, pos, version)
  return version > 1 ? [present, await signingSecret(root, pos, version - 1)] : [present]
}

/** The headers of Standard Webhooks 1.0, signed with each secret; `timestamp` in Unix seconds. */
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

/**
 * `X-Trace-Head`: what a job's trace hashes to, signed. Each line is hashed behind the head of
 * those before it: so whoever keeps a head can tell whether a later trace still begins with what it
 * was told. docs/pos/webhooks.md has the form.
 */
export async function traceHead(secret: string, id: string, lines: readonly string[]): Promise<string> {
  let head = ''
  for (const line of lines) head = await sha256(`${head}\n${line}`)
  const { length: steps } = lines
  return `steps=${steps}, sha256=${head}, signature=${await bodySignature(secret, `${id},${steps},${head}`)}`
}
