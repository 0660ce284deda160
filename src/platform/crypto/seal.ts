import { fromBase64, toBase64, toHex, utf8 } from './hash.ts'

const IV_BYTES = 12

type SealingKey = { id: string; key: CryptoKey }

/** This isolate's imported keys, by their secret: importing them for each seal would cost too much. */
const keyrings = new Map<string, SealingKey[]>()

/** Returns the keys in a secret. The first seals, all open, so a new key comes first. */
async function keyringOf(secret: string): Promise<SealingKey[]> {
  const known = keyrings.get(secret)
  if (known) return known
  const keys = secret.split(/[\s,]+/).filter(Boolean)
  const keyring = await Promise.all(keys.map(toKey))
  keyrings.clear()
  keyrings.set(secret, keyring)
  return keyring
}

/** Imports a key. Its id is the start of a hash of a hash, which reveals nothing about it. */
async function toKey(text: string): Promise<SealingKey> {
  const raw = await crypto.subtle.digest('SHA-256', utf8(text))
  const id = toHex(await crypto.subtle.digest('SHA-256', raw)).slice(0, 8)
  return { id, key: await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']) }
}

/** Returns the id of the key that seals now. Throws if the secret has no key. */
export async function sealingKeyId(secret: string): Promise<string> {
  return (await firstOf(secret)).id
}

export function keyIdOf(sealed: string): string {
  return sealed.split('.', 1)[0] ?? ''
}

/** Seals with AES-256-GCM: `key id.iv.ciphertext`. It does not open under another `name`. */
export async function seal(secret: string, name: string, text: string): Promise<string> {
  const { id, key } = await firstOf(secret)
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const additionalData = utf8(name)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, utf8(text))
  return `${id}.${toBase64(iv)}.${toBase64(sealed)}`
}

/** Opens a seal. Throws if it was changed, or made under another name or with a removed key. */
export async function unseal(secret: string, name: string, sealed: string): Promise<string> {
  const [id, iv = '', text = '', ...more] = sealed.split('.')
  if (more.length > 0) throw new Error('the seal is malformed')
  const found = (await keyringOf(secret)).find((candidate) => candidate.id === id)
  if (!found) throw new Error(`the key ${id} of this seal is missing`)
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: fromBase64(iv), additionalData: utf8(name) },
    found.key,
    fromBase64(text),
  )
  return new TextDecoder().decode(opened)
}

async function firstOf(secret: string): Promise<SealingKey> {
  const [first] = await keyringOf(secret)
  if (!first) throw new Error('SEALING_KEY has no key')
  return first
}
