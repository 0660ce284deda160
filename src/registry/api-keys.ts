import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { log } from '../platform/log.ts'
import { storedShape } from '../platform/stored.ts'
import { kvCopies, readProfile } from './copies.ts'
import { confirmed, endTokens } from './points-of-sale.ts'
import { type Profile, KnownKey, isKeyHonoured } from './profile.ts'
import { apiKeys, pointsOfSale } from './schema.ts'

/** Adds an API key as the newest, even if another Worker's clock is ahead. */
export async function addApiKey(database: D1Database, pos: string, hash: string, now: number): Promise<void> {
  const db = drizzle(database)
  const createdAt = sql`max(${now}, coalesce((select max(created_at) + 1 from api_keys where pos = ${pos}), 0))`
  await confirmed(() => db.insert(apiKeys).values({ hash, pos, createdAt }).onConflictDoNothing().run())
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

export const knownKey = storedShape(KnownKey)
const copies = kvCopies('key', knownKey)

/**
 * Returns the present profile of an API key's point of sale; null for an unknown or revoked key,
 * and for a disabled point of sale. KV knows the key by its SHA-256. If KV does not know it, this
 * asks D1 (`askD1`) once.
 */
export async function verifyApiKey(
  env: Env,
  keyHash: string,
  askD1: () => Promise<Profile | null>,
): Promise<Profile | null> {
  // Asks D1 once. KV then stores when D1 had the key, so that a newer profile can overrule it.
  let asking: Promise<KnownKey | null> | undefined
  const ask = () => (asking ??= askD1().then((profile) => profile && knownOf(profile)))
  const known = await copies.read(env.TOKENS, keyHash, ask, async () =>
    remember(env.TOKENS, keyHash, await ask()),
  )
  if (known === null) return null
  const profile = await readProfile(env, known.pos)
  return profile && isKeyHonoured(keyHash, known, profile.access) ? profile : null
}

function knownOf({ pos, access: { asOf, tokensSince } }: Profile): KnownKey {
  return { pos, asOf, tokensSince }
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
