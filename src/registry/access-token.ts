import * as v from 'valibot'
import { randomHex } from '../platform/crypto/bytes.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { generationOf, isTokenHonoured, newestOf } from './access.ts'
import { Profile } from './profile.ts'
import { type Unreadable, UnreadableError, storedShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { type CurrentProfile, profileById } from './profiles.ts'
import { memoryCache } from './memory-cache.ts'
import { readProfileIf } from './profile-cache.ts'
import { readJson } from './read-json.ts'

/** Seconds a token is valid. */
export const TOKEN_LIFE = 24 * 60 * 60

/**
 * What KV holds of a token, under a name that holds only its hash. `expires` is in Unix seconds. `profile` is as it was when
 * the token was issued; one of release 0.1.0 has no `generation`.
 */
const TokenRecord = v.object({
  expires: v.number(),
  profile: Profile,
  generation: v.exactOptional(v.string()),
})
type TokenRecord = v.InferOutput<typeof TokenRecord>
export const tokenRecord = storedShape(TokenRecord)

const memory = memoryCache<TokenRecord>()

/** Issues a token of 160 hex characters: 32 name the POS, 128 are random. `keyHash` is the API key's, `now` in milliseconds. */
export async function issueToken(
  kv: KVNamespace,
  profile: CurrentProfile,
  keyHash: string,
  now: number,
): Promise<{ token: string; expires: number }> {
  const token = profile.pos + randomHex(128)
  const expires = Math.floor(now / 1000) + TOKEN_LIFE
  const generation = generationOf(keyHash, profile.access.tokensSince)
  await writeToken(kv, nameOf(profile.pos, await sha256(token)), { expires, profile, generation })
  return { token, expires }
}

function nameOf(pos: string, hash: string): string {
  return `token:${pos}:${hash}`
}

function writeToken(kv: KVNamespace, name: string, record: TokenRecord): Promise<void> {
  return kv.put(name, JSON.stringify(tokenRecord.write(record)), { expiration: record.expires })
}

/**
 * The present profile of the point of sale that a valid token is of; null for any other text. Two KV reads at most, and D1
 * only where KV has no copy of the profile. `now` is in milliseconds.
 */
export async function verifyToken(env: Env, token: string, now: number): Promise<Profile | null> {
  if (!isToken(token)) return null
  const pos = token.slice(0, POS_LENGTH)
  const reading = readToken(env, pos, nameOf(pos, await sha256(token)))
  // Both at once. D1 is asked for known tokens alone: anyone can make up a text.
  const copying = readProfileIf(env, pos, async () => (await reading) !== null)
  const [record, copy] = await Promise.all([reading, copying])
  if (record === null || copy === null || record.expires * 1000 <= now) return null
  const profile = newestOf(record.profile, copy)
  const issuedAt = (record.expires - TOKEN_LIFE) * 1000
  return isTokenHonoured({ ...record, issuedAt }, profile.access) ? profile : null
}

export function isToken(text: string): boolean {
  return /^[0-9a-f]{160}$/.test(text)
}

const POS_LENGTH = 32

function readToken(env: Env, pos: string, name: string): Promise<TokenRecord | null> {
  return memory.get(name, async () => {
    const found = await readJson(env.TOKENS, name)
    if (found === null) return null
    const read = tokenRecord.read(found)
    return read.ok ? read.value : repairToken(env, pos, name, found, read.error)
  })
}

/**
 * Makes a record that cannot be read anew from D1: that it is there says that the token was issued. Its generation is lost,
 * so it is honoured as one of release 0.1.0 is. Null when the point of sale is disabled. Throws an `UnreadableError` while
 * nobody knows when the token expires.
 */
async function repairToken(
  env: Env,
  pos: string,
  name: string,
  broken: unknown,
  unreadable: Unreadable,
): Promise<TokenRecord | null> {
  log.error('kv.token-unreadable', { pos, detail: unreadable.detail })
  const [found, expires] = await Promise.all([profileById(env.DB, pos), expiryOf(env.TOKENS, name, broken)])
  if (found?.disabledAt !== null) return null
  if (expires === undefined) throw new UnreadableError('the access token', unreadable)
  const record = { expires, profile: found.profile }
  if (canBeWritten(expires)) await rewriteToken(env.TOKENS, name, record)
  return record
}

/** When a token expires (Unix seconds): KV's list says so, but knows a new token a minute late; the record may say it too. */
async function expiryOf(kv: KVNamespace, name: string, broken: unknown): Promise<number | undefined> {
  const { keys } = await kv.list({ prefix: name })
  const listed = keys.find((key) => key.name === name)?.expiration
  const said = v.safeParse(v.object({ expires: v.number() }), broken)
  return listed ?? (said.success ? said.output.expires : undefined)
}

/** Writes a token's record anew, unless it was deleted meanwhile. One that cannot be written now is written later. */
async function rewriteToken(kv: KVNamespace, name: string, record: TokenRecord): Promise<void> {
  try {
    if ((await kv.get(name)) !== null) await writeToken(kv, name, record)
  } catch (error) {
    log.fault('kv.repair-failed', error)
  }
}

/** KV refuses an expiration (Unix seconds) less than a minute ahead. */
function canBeWritten(expires: number): boolean {
  return expires * 1000 >= Date.now() + 61_000
}
