import { fromBase64, toBase64, utf8 } from './bytes.ts'

const IV_BYTES = 12

const keyOf = async (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', await crypto.subtle.digest('SHA-256', utf8(secret)), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ])

/** Seals a text with AES-256-GCM. `name` is bound to it: a seal moved under another name does not open. */
export const seal = async (secret: string, name: string, text: string): Promise<string> => {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: utf8(name) },
    await keyOf(secret),
    utf8(text),
  )
  return `${toBase64(iv)}.${toBase64(sealed)}`
}

/** Opens a seal. Throws when it was changed, or made under another secret or name. */
export const unseal = async (secret: string, name: string, sealed: string): Promise<string> => {
  const [iv = '', text = '', ...more] = sealed.split('.')
  if (more.length > 0) throw new Error('this is no seal')
  const opened = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: fromBase64(iv), additionalData: utf8(name) },
    await keyOf(secret),
    fromBase64(text),
  )
  return new TextDecoder().decode(opened)
}
