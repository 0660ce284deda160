import * as v from 'valibot'
import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { generationOf, isTokenHonoured, newestOf, Profile } from './profile.ts'
import { storedShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { memoryCache, readJson, readProfile } from './copies.ts'

const TOKEN_LIFE = 24 * 60 * 60

/** A token in KV, under its hash. `expires` is in Unix seconds; `profile` is that of the time of issue. */
const TokenRecord = v.object({ expires: v.number(), profile: Profile, generation: v.string() })
type TokenRecord = v.InferOutput<typeof TokenRecord>
export const tokenRecord = storedShape(TokenRecord)

const memory = memoryCache<TokenRecord>()

/** Issues a token of 160 hex characters: 32 name the POS, 128 are random. `now` is in ms. */
export async function issueToken(
  kv: KVNamespace,
  profile: Profile,
  keyHash: string,
  now: number,
): Promise<{ token: string; expires: number }> {
  const token = profile.pos + randomHex(128)
  const expires = Math.floor(now / 1000) + TOKEN_LIFE
  const generation = generationOf(keyHash, profile.access.tokensSince)
  const record = tokenRecord.write({ expires, profile, generation })
  await kv.put(nameOf(profile.pos, await sha256(token)), JSON.stringify(record), { expiration: expires })
  return { token, expires }
}

function nameOf(pos: string, hash: string): string {
  return `token:${pos}:${hash}`
}

/** Returns a valid token's present profile, or null. Reads KV twice, D1 only without a copy. */
export async function verifyToken(env: Env, token: string, now: number): Promise<Profile | null> {
  if (!isToken(token)) return null
  const pos = token.slice(0, POS_LENGTH)
  const reading = readToken(env, pos, nameOf(pos, await sha256(token)))
  // Reads both at once. Asks D1 only about known tokens, because anyone can make up a text.
  const copying = readProfile(env, pos, async () => (await reading) !== null)
  const [record, copy] = await Promise.all([reading, copying])
  if (record === null || copy === null || record.expires * 1000 <= now) return null
  const profile = newestOf(record.profile, copy)
  return isTokenHonoured(record, profile.access) ? profile : null
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
