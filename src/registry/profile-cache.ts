import { Profile } from './profile.ts'
import { storedShape } from '../platform/stored.ts'
import { profileById } from './profiles.ts'
import { kvCopies, writeCopy } from './copies.ts'

export const profileCopy = storedShape(Profile)

/** All of a profile but when it was read. */
function contentsOf(profile: Profile): string {
  return JSON.stringify({ ...profile, access: { ...profile.access, asOf: 0 } })
}

const copies = kvCopies('pos', profileCopy, contentsOf)

/**
 * A point of sale's profile for what happens without its token: returns, reports, pulls. From KV, and from D1 where
 * KV has none or does not answer: either may be down. Null for an unknown id.
 */
export function readProfile(env: Env, pos: string): Promise<Profile | null> {
  return readProfileIf(env, pos, async () => true)
}

/** The same, but D1 is asked only if `mayAskD1` says so. */
export function readProfileIf(
  env: Env,
  pos: string,
  mayAskD1: () => Promise<boolean>,
): Promise<Profile | null> {
  return copies.read(env.TOKENS, pos, async () =>
    (await mayAskD1()) ? ((await profileById(env.DB, pos))?.profile ?? null) : null,
  )
}

export function publishProfile(kv: KVNamespace, profile: Profile): Promise<void> {
  return copies.publish(kv, profile.pos, profile)
}

/** Writes the copy of a point of sale from D1. A disabled one's copy stays: its jobs are still finished. */
export function refreshProfile(env: Env, pos: string): Promise<void> {
  return writeCopy(`pos:${pos}`, {
    read: async () => (await profileById(env.DB, pos))?.profile ?? null,
    write: (profile) => publishProfile(env.TOKENS, profile),
    // There never was one: no point of sale is deleted.
    remove: async () => undefined,
    contents: contentsOf,
  })
}
