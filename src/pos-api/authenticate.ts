import { knownLoss, lossLately, registryLost } from '../registry/lost-registry.ts'
import { type Quota, countRequest, networksOf } from '../platform/http/rate-limit.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { Right } from '../contract/key-limits.ts'
import { isoTime } from '../contract/timestamp.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { isMarkedId } from '../platform/crypto/signing.ts'
import { sentBearer } from '../platform/http/headers.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { countForLine, log } from '../platform/log.ts'
import { isToken, verifyToken } from '../registry/access-token.ts'
import { findApiKey, verifyApiKey } from '../registry/api-keys.ts'
import { readProfile } from '../registry/copies.ts'
import { type Caller, type KeyLimits, hasExpired, hasLostKey } from '../registry/profile.ts'
import { callerByKey } from '../registry/profiles.ts'

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
function wrong(code: WrongCode, detail = DETAILS[code]): Result<never, Refusal> {
  const count = countForLine(code, Date.now())
  if (count > 0) log.warn('pos.refused', { code, count })
  return refuse({ code, detail })
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
 * Refuses a key that this hub made and that D1 does not honour, and says if it is past its end. If D1 has
 * no row for it, the registry may be lost: then the shop must try again, and not conclude that its key is
 * wrong.
 */
export async function refuseKey(env: Env, keyHash: string): Promise<Result<never, Refusal>> {
  const key = await findApiKey(env.DB, keyHash)
  if (key === null) return (await lossLately(env)) ? registryLost : wrong('api-key-invalid')
  const isExpired = key.revokedAt === null && hasExpired(key, Date.now())
  return wrong('api-key-invalid', isExpired ? `The API key expired at ${isoTime(key.expiresAt)}.` : undefined)
}

/** Refuses a call that the caller's API key has no right to (RFC 6750, section 3.1). Null if it has. */
export function lackOf({ can }: KeyLimits, right: Right): Result<never, Refusal> | null {
  if (can === undefined || can.includes(right)) return null
  const detail = `The API key may not ${right}: it may only ${can.join(', ')}.`
  return refuse({ code: 'insufficient-scope', detail, right })
}

/** Returns the caller by an API key sent as a token (PayoCity PHP SDK). Counts reads of D1. */
async function callerOfKey(request: Request, env: Env, key: string): Promise<Result<Caller, Refusal>> {
  const keyHash = await sha256(key)
  let counted: Result<null, Refusal> = ok(null)
  const now = Date.now()
  const caller = await verifyApiKey(env, keyHash, now, async () => {
    counted = await countLookup(request, env, key, keyHash)
    return counted.ok ? callerByKey(env.DB, keyHash, now) : null
  })
  if (!counted.ok) return counted
  return caller ? ok(caller) : refuseKey(env, keyHash)
}

/**
 * Tells whether a caller's key is not past its end, and its point of sale still has every key that it had
 * when a long answer began. If not, the answer ends, and a client with a good key connects again.
 */
export async function isKnownStill(env: Env, { pos, access, until = Infinity }: Caller): Promise<boolean> {
  if (until <= Date.now()) return false
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
): Promise<Result<Caller, Refusal>> {
  if (token === null) return noCredentials(request, 'an access token', 'token-invalid')
  // A random key never looks like a token, which has only hex digits.
  if (isApiKey(token) && !isToken(token)) return callerOfKey(request, env, token)
  const caller = await verifyToken(env, token, Date.now())
  if (caller) return ok(caller)
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
