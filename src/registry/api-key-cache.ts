import { KnownKey, isKeyHonoured } from './access.ts'
import type { Profile } from './profile.ts'
import { storedShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { kvCopies } from './copies.ts'
import { readProfile } from './profile-cache.ts'

export const knownKey = storedShape(KnownKey)
const copies = kvCopies('key', knownKey, (known) => JSON.stringify(known))

/**
 * The present profile of the point of sale that an API key is of; null for a key that is revoked or unknown, or of a disabled
 * point of sale. KV has it by the key's SHA-256. D1 (`askD1`) is asked for a key that KV does not know: once, if it is live.
 */
export async function verifyApiKey(
  env: Env,
  keyHash: string,
  askD1: () => Promise<Profile | null>,
): Promise<Profile | null> {
  // Once, also to compare: what is remembered says when D1 had it, and does not count once the profile is newer.
  let asking: Promise<KnownKey | null> | undefined
  const ask = () => (asking ??= askD1().then((profile) => profile && knownOf(profile)))
  const known = await copies.read(env.TOKENS, keyHash, ask, async () =>
    remember(env.TOKENS, keyHash, await ask()),
  )
  if (known === null) return null
  const profile = await readProfile(env, known.pos)
  return profile && isKeyHonoured(keyHash, known, profile.access) ? profile : null
}

function knownOf({ pos, access: { asOf, tokensSince } }: Profile): KnownKey {
  return { pos, asOf, tokensSince }
}

/** A key that KV does not take now is looked up in D1 again. */
async function remember(kv: KVNamespace, keyHash: string, known: KnownKey | null): Promise<KnownKey | null> {
  try {
    if (known) await copies.publish(kv, keyHash, known)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos: known?.pos })
  }
  return known
}
