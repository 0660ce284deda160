import * as v from 'valibot'
import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { MARK, isMarkedId, markId } from '../platform/crypto/signing.ts'
import { type Caller, generationOf, isTokenHonoured, KeyLimits, newestOf, Profile } from './profile.ts'
import { storedShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { memoryCache, readJson, readProfile } from './copies.ts'
import { throwIfLost } from './lost-registry.ts'

const TOKEN_LIFE = 24 * 60 * 60

/**
 * A token in KV, under its hash, with the limits of its key. `expires` is in Unix seconds; `profile` is
 * that of the time of issue.
 */
const TokenRecord = v.object({
  expires: v.number(),
  profile: Profile,
  generation: v.string(),
  ...KeyLimits.entries,
})
type TokenRecord = v.InferOutput<typeof TokenRecord>
export const tokenRecord = storedShape(TokenRecord)

const memory = memoryCache<TokenRecord>()

/** KV refuses a record that expires within a minute (s). */
const SHORTEST = 120

/**
 * Issues a token of 160 hex characters: 32 name the POS, 122 are random, and the rest is the mark of
 * this hub. It lasts for a day, and no longer than its key. `now` is in ms.
 */
export async function issueToken(
  env: Env,
  caller: Caller,
  keyHash: string,
  now: number,
): Promise<{ token: string; expires: number }> {
  const token = await markId(env.SIGNING_ROOT, caller.pos + randomHex(128 - MARK))
  const seconds = Math.floor(now / 1000)
  const expires = Math.min(seconds + TOKEN_LIFE, Math.floor((caller.until ?? Infinity) / 1000))
  const generation = generationOf(keyHash, caller.access.tokensSince)
  const profile = v.parse(Profile, caller)
  const record = tokenRecord.write({ expires, profile, generation, ...v.parse(KeyLimits, caller) })
  const expiration = Math.max(expires, seconds + SHORTEST)
  await env.TOKENS.put(nameOf(caller.pos, await sha256(token)), JSON.stringify(record), { expiration })
  return { token, expires }
}

function nameOf(pos: string, hash: string): string {
  return `token:${pos}:${hash}`
}

/**
 * Returns a valid token's point of sale, with its present profile, or null. Reads KV twice, D1 only without
 * a copy. For a token without this hub's mark, which an earlier release or a stranger made, reads KV once
 * and goes on only if it has the token. Throws an outage if D1 has lost the point of sale of a valid one.
 */
export async function verifyToken(env: Env, token: string, now: number): Promise<Caller | null> {
  if (!isToken(token)) return null
  const pos = token.slice(0, POS_LENGTH)
  const name = nameOf(pos, await sha256(token))
  const reading = readToken(env, pos, name)
  const mayBeOurs = memory.has(name) || (await isMarkedId(env.SIGNING_ROOT, token))
  if (!mayBeOurs && (await reading) === null) return null
  // Reads both at once. Asks D1 only about known tokens, because a mark can be guessed or out of date.
  const copying = readProfile(env, pos, async () => (await reading) !== null)
  const [record, copy] = await Promise.all([reading, copying])
  if (record === null || record.expires * 1000 <= now) return null
  if (copy === null) await throwIfLost(env)
  if (copy === null) return null
  const profile = newestOf(record.profile, copy)
  return isTokenHonoured(record, profile.access) ? { ...profile, ...v.parse(KeyLimits, record) } : null
}

export function isToken(text: string): boolean {
  return /^[0-9a-f]{160}$/.test(text)
}

const POS_LENGTH = 32

/** Returns null for a missing or unreadable record: the client then asks for a new token. */
function readToken(env: Env, pos: string, name: string): Promise<TokenRecord | null> {
  return memory.get(name, async () => {
    const found = await readJson(env.TOKENS, name)
    if (found === null) return null
    const read = tokenRecord.read(found)
    if (!read.ok) log.error('kv.token-unreadable', { pos, detail: read.error.detail })
    return read.ok ? read.value : null
  })
}
