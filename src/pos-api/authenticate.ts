import { lostLately, lostRegistry, registryLost } from '../registry/lost-registry.ts'
import { type Quota, countRequest, networksOf } from '../platform/http/rate-limit.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { isMarkedId } from '../platform/crypto/signing.ts'
import { sentBearer } from '../platform/http/headers.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { isToken, verifyToken } from '../registry/access-token.ts'
import { hasApiKey, verifyApiKey } from '../registry/api-keys.ts'
import { readProfile } from '../registry/copies.ts'
import { type Profile, hasLostKey } from '../registry/profile.ts'
import { profileByKey } from '../registry/profiles.ts'

/** The limits of wrangler.toml, as answers name them; a test compares the two. */
export const QUOTAS = {
  guardianPerAddress: { name: 'guardian-address', limit: 1200, period: 60 },
  guardianPerKey: { name: 'guardian-key', limit: 120, period: 60 },
  createPerPos: { name: 'create', limit: 20_000, period: 10 },
  searchPerPos: { name: 'search', limit: 600, period: 60 },
} as const satisfies Record<string, Quota>

function isApiKey(text: string): boolean {
  return /^[0-9A-Za-z]{160}$/.test(text)
}

const unknownKey: Result<never, Refusal> = refuse({
  code: 'api-key-invalid',
  detail: 'The API key is unknown or revoked, or its point of sale is disabled.',
})

/**
 * Counts a look-up of an API key in D1, and refuses it above the limit, or if this hub cannot have
 * made the key. Wrong keys count by the caller's address, so they lock out no shop with a good key.
 */
export async function countLookup(
  request: Request,
  env: Env,
  key: string,
  keyHash: string,
): Promise<Result<null, Refusal>> {
  if (isApiKey(key) && (await isMarkedId(env.SIGNING_ROOT, key))) {
    return countRequest(env.GUARDIAN_PER_KEY, QUOTAS.guardianPerKey, keyHash)
  }
  const guesses = await countRequest(
    env.GUARDIAN_PER_ADDRESS,
    QUOTAS.guardianPerAddress,
    ...networksOf(request),
  )
  return guesses.ok ? unknownKey : guesses
}

/**
 * Refuses a key that this hub made and that D1 does not honour. If D1 has no row for it, the registry
 * may be lost: then the shop must try again, and not conclude that its key is wrong.
 */
export async function refuseKey(env: Env, keyHash: string): Promise<Result<never, Refusal>> {
  const isLost = !(await hasApiKey(env.DB, keyHash)) && (await lostRegistry(env)) !== null
  return isLost ? registryLost : unknownKey
}

/** Returns the profile of an API key sent as a token (PayoCity PHP SDK). Counts reads of D1. */
async function profileOfKey(request: Request, env: Env, key: string): Promise<Result<Profile, Refusal>> {
  const keyHash = await sha256(key)
  let counted: Result<null, Refusal> = ok(null)
  const profile = await verifyApiKey(env, keyHash, async () => {
    counted = await countLookup(request, env, key, keyHash)
    return counted.ok ? profileByKey(env.DB, keyHash) : null
  })
  if (!counted.ok) return counted
  return profile ? ok(profile) : refuseKey(env, keyHash)
}

/**
 * Tells whether a point of sale still has every key that it had when a long answer began. If not, the
 * answer ends, and a client with a good key connects again.
 */
export async function isKnownStill(env: Env, { pos, access }: Profile): Promise<boolean> {
  try {
    const now = await readProfile(env, pos)
    return now === null ? (await lostLately(env)) !== null : !hasLostKey(access, now.access)
  } catch {
    // An outage of KV and D1 turns no client away. The hub checks again next time.
    return true
  }
}

export async function authenticate(
  request: Request,
  env: Env,
  token: string | null,
): Promise<Result<Profile, Refusal>> {
  if (token === null) return noCredentials(request, 'an access token', 'token-invalid')
  // A random key never looks like a token, which has only hex digits.
  if (isApiKey(token) && !isToken(token)) return profileOfKey(request, env, token)
  const profile = await verifyToken(env, token, Date.now())
  if (profile) return ok(profile)
  if ((await lostLately(env))?.isWhole) return registryLost
  const detail = 'The access token is unknown or has expired. Get a new one from the guardian.'
  return refuse({ code: 'token-invalid', detail })
}

export function noCredentials(
  request: Request,
  what: string,
  unreadable: 'token-invalid' | 'api-key-invalid',
): Result<never, Refusal> {
  return refuse({
    code: sentBearer(request) ? unreadable : 'credentials-missing',
    detail: `Send ${what} as Authorization: Bearer.`,
  })
}
