import * as v from 'valibot'
import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { log } from '../platform/log.ts'
import { storedShape } from '../platform/stored.ts'
import { kvCopies, readProfile } from './copies.ts'
import { type NewApiKey, confirmed, endTokens } from './points-of-sale.ts'
import { type Caller, KeyLimits, KnownKey, isKeyHonoured } from './profile.ts'
import { apiKeys, pointsOfSale } from './schema.ts'

/** Adds an API key as the newest, even if another Worker's clock is ahead. */
export async function addApiKey(
  database: D1Database,
  pos: string,
  key: NewApiKey,
  now: number,
): Promise<void> {
  const db = drizzle(database)
  const createdAt = sql`max(${now}, coalesce((select max(created_at) + 1 from api_keys where pos = ${pos}), 0))`
  await confirmed(() =>
    db
      .insert(apiKeys)
      .values({ ...key, pos, createdAt })
      .onConflictDoNothing()
      .run(),
  )
}

/** Revokes all live keys except the newest, and ends the tokens. Returns how many keys it revoked. */
export async function revokeOlderKeys(database: D1Database, pos: string, now: number): Promise<number> {
  const db = drizzle(database)
  const isLive = and(eq(apiKeys.pos, pos), isNull(apiKeys.revokedAt))
  const newest = db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(isLive)
    .orderBy(desc(apiKeys.createdAt), sql`rowid desc`)
    .limit(1)
  const [revoked] = await db.batch([
    db
      .update(apiKeys)
      .set({ revokedAt: now })
      .where(and(isLive, ne(apiKeys.hash, sql`(${newest})`)))
      .returning({ hash: apiKeys.hash }),
    db.update(pointsOfSale).set(endTokens(now)).where(eq(pointsOfSale.id, pos)),
  ])
  return revoked.length
}

/** Returns the row of a key, live or not: it is never deleted. Null for a key that D1 does not have. */
export async function findApiKey(database: D1Database, hash: string) {
  const [row] = await drizzle(database).select().from(apiKeys).where(eq(apiKeys.hash, hash))
  return row ?? null
}

export const knownKey = storedShape(KnownKey)
/** Not `key`: release 1.1 wrote copies of that kind, without the limits of a key. */
const copies = kvCopies('api-key', knownKey)

/**
 * Returns the point of sale that calls with an API key at `now` (ms), with its present profile; null for
 * a key that is unknown, revoked or past its end, and for a disabled point of sale. KV knows the key by
 * its SHA-256. If KV does not know it, this asks D1 (`askD1`) once.
 */
export async function verifyApiKey(
  env: Env,
  keyHash: string,
  now: number,
  askD1: () => Promise<Caller | null>,
): Promise<Caller | null> {
  // Asks D1 once. KV then stores when D1 had the key, so that a newer profile can overrule it.
  let asking: Promise<KnownKey | null> | undefined
  const ask = () =>
    (asking ??= askD1().then((caller) => caller && v.parse(KnownKey, { ...caller, ...caller.access })))
  const known = await copies.read(env.TOKENS, keyHash, ask, async () =>
    remember(env.TOKENS, keyHash, await ask()),
  )
  if (known === null || (known.until ?? Infinity) <= now) return null
  const profile = await readProfile(env, known.pos)
  const isHonoured = profile && isKeyHonoured(keyHash, known, profile.access)
  return isHonoured ? { ...profile, ...v.parse(KeyLimits, known) } : null
}

/** Copies a known key to KV. If KV takes no write now, the hub asks D1 again next time. */
async function remember(kv: KVNamespace, keyHash: string, known: KnownKey | null): Promise<KnownKey | null> {
  try {
    if (known) await copies.publish(kv, keyHash, known)
  } catch (error) {
    log.fault('kv.write-failed', error, { pos: known?.pos })
  }
  return known
}
