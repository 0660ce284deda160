import { toHex } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'

/** The key that this isolate has derived last, and from what. */
let derived = { root: '', key: '' }

/**
 * The one API key of the embedded sandbox, in the form of a Mollie test key; derived, so that
 * nobody has to set it.
 */
export async function sandboxApiKey({ SIGNING_ROOT: root }: Env): Promise<string> {
  if (derived.root !== root) {
    const key = `test_${toHex(await hmac('SHA-256', root, 'sandbox-api-key')).slice(0, 32)}`
    derived = { root, key }
  }
  return derived.key
}
