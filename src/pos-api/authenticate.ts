import { knownLoss, lossLately, lossOfSecret, registryLost } from '../registry/lost-registry.ts'
import { type Quota, countRequest, networksOf } from '../platform/http/rate-limit.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { isMarkedId } from '../platform/crypto/signing.ts'
import { sentBearer } from '../platform/http/headers.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { countForLine, log } from '../platform/log.ts'
import { isToken, verifyToken } from '../registry/access-token.ts'
import { verifyApiKey } from '../registry/api-keys.ts'
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

const DETAILS = {
  'api-key-invalid': 'The API key is unknown or revoked, or its point of sale is disabled.',
  'token-invalid': 'The access token is unknown or has expired. Get a new one from the guardian.',
}
type WrongCode = keyof typeof DETAILS

/** Refuses a wrong key or token. The log gets a line a minute with their number: anyone can send any number. */
function wrong(code: WrongCode): Result<never, Refusal> {
  const count = countForLine(code, Date.now())
  if (count > 0) log.warn('pos.refused', { code, count })
  return refuse({ code, detail: DETAILS[code] })
}

/** Refuses a key or a token that this hub cannot have made, and counts it by the caller's networks. */
async function countGuess(request: Request, env: Env, code: WrongCode): Promise<Result<never, Refusal>> {
  const networks = networksOf(request)
  const guesses = await countRequest(env.GUARDIAN_PER_ADDRESS, QUOTAS.guardianPerAddress, ...networks)
  const refused = wrong(code)
  return guesses.ok ? refused : guesses
}

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
  return countGuess(request, env, 'api-key-invalid')
}

/**
 * Refuses a key that this hub made and that D1 does not honour. If D1 has no row for it, the registry
 * may be lost: then the shop must try again, and not conclude that its key is wrong.
 */
export async function refuseKey(env: Env, keyHash: string): Promise<Result<never, Refusal>> {
  return (await lossOfSecret(env, 'api_keys', keyHash)) ? registryLost : wrong('api-key-invalid')
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
    return now === null ? (await lossLately(env)) !== null : !hasLostKey(access, now.access)
  } catch {
    // An outage of KV and D1 turns no client away. The hub checks again next time.
    return true
  }
}

/**
 * Identifies the point of sale of a token. Wrong tokens count like wrong keys, except those with this
 * hub's mark: they expired, and lock out nobody behind the same address.
 */
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
  const isOurs = isToken(token) && (await isMarkedId(env.SIGNING_ROOT, token))
  if (!isOurs) return countGuess(request, env, 'token-invalid')
  return (await knownLoss(env)) === 'whole' ? registryLost : wrong('token-invalid')
}

export function noCredentials(request: Request, what: string, unreadable: WrongCode): Result<never, Refusal> {
  return refuse({
    code: sentBearer(request) ? unreadable : 'credentials-missing',
    detail: `Send ${what} as Authorization: Bearer.`,
  })
}
