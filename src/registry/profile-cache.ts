import { Profile } from './profile.ts'
import { storedShape } from '../platform/stored.ts'
import { profileById } from './profiles.ts'
import { kvCopies } from './copies.ts'

export const profileCopy = storedShape(Profile)
const copies = kvCopies('pos', profileCopy)

/**
 * A point of sale's profile, from KV, or from D1 where KV has none or does not answer and
 * `mayAskD1` agrees. Null for an unknown id.
 */
export function readProfile(
  env: Env,
  pos: string,
  mayAskD1: () => Promise<boolean> = async () => true,
): Promise<Profile | null> {
  return copies.read(env.TOKENS, pos, async () => ((await mayAskD1()) ? inD1(env, pos) : null))
}

/** Writes the copy from D1. That of a disabled point of sale stays: its jobs are still finished. */
export async function refreshProfile(env: Env, pos: string): Promise<void> {
  if (isPosId(pos)) await copies.refresh(env.TOKENS, pos, () => inD1(env, pos))
}

/** Anything else comes from an address, and may be too long for a name of KV. */
function isPosId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

async function inD1(env: Env, pos: string): Promise<Profile | null> {
  return (await profileById(env.DB, pos))?.profile ?? null
}
