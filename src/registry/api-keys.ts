import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { confirmed } from './confirmed.ts'
import { endTokens } from './points-of-sale.ts'
import { apiKeys, pointsOfSale } from './schema.ts'

/**
 * Adds an API key beside those that are live, as the newest, also where the clock of another Worker was ahead. Nobody sees a key that
 * D1 has and does not confirm, so it is asked twice.
 */
export async function addApiKey(database: D1Database, pos: string, hash: string, now: number): Promise<void> {
  const db = drizzle(database)
  const createdAt = sql`max(${now}, coalesce((select max(created_at) + 1 from api_keys where pos = ${pos}), 0))`
  await confirmed(() => db.insert(apiKeys).values({ hash, pos, createdAt }).onConflictDoNothing().run())
}

/** Revokes every live API key of a point of sale but its newest, and ends all its tokens. How many keys that were. */
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
