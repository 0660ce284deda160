import * as v from 'valibot'
import { randomHex } from '../crypto/bytes.ts'
import { sha256 } from '../crypto/hash.ts'
import { Profile } from '../registry/profile.ts'

/** Seconds a token is valid. */
export const TOKEN_LIFE = 24 * 60 * 60
/** Seconds a place may go on using a record it has read: what bounds how long a disabled POS still gets in. */
const CACHE_SECONDS = 30

/** What KV holds of a token, under a name that holds only its hash. `expires` is in Unix seconds. */
export const TokenRecord = v.object({ expires: v.number(), profile: Profile })
export type TokenRecord = v.InferOutput<typeof TokenRecord>

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

/** The profile a valid token carries, by one KV read; null for any other text. */
export const verifyToken = async (kv: KVNamespace, token: string, now: number): Promise<Profile | null> => {
  if (!/^[0-9a-f]{160}$/.test(token)) return null
  const name = tokenPrefix(token.slice(0, 32)) + (await sha256(token))
  const found = await kv.get(name, { type: 'json', cacheTtl: CACHE_SECONDS })
  if (found === null) return null
  const record = v.parse(TokenRecord, found)
  return record.expires * 1000 > now ? record.profile : null
}
