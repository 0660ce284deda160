import { type Result, ok, refuse } from '../contract/result.ts'
import type { Profile } from '../registry/profile.ts'
import { clientNetwork } from '../platform/http/client-network.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { profileByKey } from '../registry/profiles.ts'
import { verifyApiKey } from '../registry/api-key-cache.ts'
import { QUOTAS } from './quotas.ts'

export function isApiKey(text: string): boolean {
  return /^[0-9A-Za-z]{160}$/.test(text)
}

/** Counts a request whose API key has to be looked up in D1: a brake on guessing, and on one client that loads D1. */
export async function countLookup(
  request: Request,
  env: Env,
  keyHash: string,
): Promise<Result<null, Refusal>> {
  const [byAddress, byKey] = await Promise.all([
    countRequest(env.GUARDIAN_PER_ADDRESS, QUOTAS.guardianPerAddress, clientNetwork(request)),
    countRequest(env.GUARDIAN_PER_KEY, QUOTAS.guardianPerKey, keyHash),
  ])
  return byAddress.ok ? byKey : byAddress
}

export const unknownKey: Result<never, Refusal> = refuse({
  code: 'api-key-invalid',
  detail: 'The API key is unknown, revoked, or of a disabled point of sale.',
})

/**
 * The profile of an API key that comes in place of an access token, as the PayoCity PHP SDK sends it. Only look-ups in D1 are
 * counted.
 */
export async function profileOfKey(
  request: Request,
  env: Env,
  keyHash: string,
): Promise<Result<Profile, Refusal>> {
  let counted: Result<null, Refusal> = ok(null)
  const profile = await verifyApiKey(env, keyHash, async () => {
    counted = await countLookup(request, env, keyHash)
    return counted.ok ? profileByKey(env.DB, keyHash) : null
  })
  if (!counted.ok) return counted
  return profile ? ok(profile) : unknownKey
}
