import { KnownKey, isKeyHonoured } from '../../domain/access.ts'
import type { Profile } from '../../domain/profile.ts'
import { storedShape } from '../../domain/stored.ts'
import { log } from '../../log.ts'
import type { CurrentProfile } from '../d1/profiles.ts'
import { kvCopies } from './copies.ts'
import { readProfile } from './profile-cache.ts'

export const knownKey = storedShape(KnownKey)
const copies = kvCopies('key', knownKey)

/**
 * The present profile of the point of sale that an API key is of; null for a key that is revoked or unknown, or of a disabled
 * point of sale. KV has it by the key's SHA-256. D1 (`askD1`) is asked for a key that KV does not know: once, if it is live.
 */
export const verifyApiKey = async (
  env: Env,
  keyHash: string,
  askD1: () => Promise<CurrentProfile | null>,
): Promise<Profile | null> => {
  const known = await copies.read(env.TOKENS, keyHash, async () => {
    const profile = await askD1()
    return profile && remember(env.TOKENS, keyHash, profile)
  })
  if (known === null) return null
  const profile = await readProfile(env, known.pos)
  return profile && isKeyHonoured(keyHash, known, profile.access) ? profile : null
}

/** A key that KV does not take now is looked up in D1 again. */
const remember = async (
  kv: KVNamespace,
  keyHash: string,
  { pos, access: { asOf, tokensSince } }: CurrentProfile,
): Promise<KnownKey> => {
  const known = { pos, asOf, tokensSince }
  try {
    await copies.publish(kv, keyHash, known)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos })
  }
  return known
}
