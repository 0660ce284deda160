import * as v from 'valibot'
import { randomHex } from '../../crypto/bytes.ts'
import { sha256 } from '../../crypto/hash.ts'
import { Profile } from '../../domain/profile.ts'
import { memoryCache } from './memory-cache.ts'

/** Seconds a token is valid. */
export const TOKEN_LIFE = 24 * 60 * 60
/** Seconds a place may go on using a record it has read: what bounds how long a disabled POS still gets in. */
const CACHE_SECONDS = 30

/** What KV holds of a token, under a name that holds only its hash. `expires` is in Unix seconds. */
export const TokenRecord = v.object({ expires: v.number(), profile: Profile })
export type TokenRecord = v.InferOutput<typeof TokenRecord>

const kept = memoryCache<TokenRecord>()

/** A token that is being changed is read anew. */
export const invalidateToken = kept.invalidate

export const tokenPrefix = (pos: string): string => `token:${pos}:`

/** Issues a token of 160 hex characters: 32 name the POS, 128 are random. */
export const issueToken = async (
  kv: KVNamespace,
  profile: Profile,
  now: number,
): Promise<{ token: string; expires: number }> => {
  const token = profile.pos + randomHex(128)
  const expires = Math.floor(now / 1000) + TOKEN_LIFE
  const record: TokenRecord = { expires, profile }
  await kv.put(tokenPrefix(profile.pos) + (await sha256(token)), JSON.stringify(record), {
    expiration: expires,
  })
  return { token, expires }
}

/** The profile a valid token carries, by one KV read at most; null for any other text. */
export const verifyToken = async (kv: KVNamespace, token: string, now: number): Promise<Profile | null> => {
  if (!/^[0-9a-f]{160}$/.test(token)) return null
  const name = tokenPrefix(token.slice(0, 32)) + (await sha256(token))
  const record = await kept.get(name, async () => {
    const found = await kv.get(name, { type: 'json', cacheTtl: CACHE_SECONDS })
    return found === null ? null : v.parse(TokenRecord, found)
  })
  return record && record.expires * 1000 > now ? record.profile : null
}
