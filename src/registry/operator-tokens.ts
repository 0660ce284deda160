import { and, asc, eq, gt, gte, isNull, lt, lte, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { confirmed } from './points-of-sale.ts'
import { hasExpired } from './profile.ts'
import { endedSessions, operatorTokens } from './schema.ts'

export type OperatorTokenRow = typeof operatorTokens.$inferSelect

/** Adds a token. False if another live token has its name: one that has expired counts as revoked from now on. */
export async function addOperatorToken(database: D1Database, row: OperatorTokenRow): Promise<boolean> {
  const db = drizzle(database)
  const [, , there] = await confirmed(() =>
    db.batch([
      db
        .update(operatorTokens)
        .set({ revokedAt: operatorTokens.expiresAt })
        .where(and(isNull(operatorTokens.revokedAt), lte(operatorTokens.expiresAt, row.createdAt))),
      db.insert(operatorTokens).values(row).onConflictDoNothing(),
      db.select({ id: operatorTokens.id }).from(operatorTokens).where(eq(operatorTokens.hash, row.hash)),
    ]),
  )
  return there.length > 0
}

export async function listOperatorTokens(database: D1Database): Promise<OperatorTokenRow[]> {
  return drizzle(database)
    .select()
    .from(operatorTokens)
    .orderBy(asc(operatorTokens.createdAt), asc(operatorTokens.id))
}

/** Revokes a token; a repetition keeps the first time. Null for an unknown id. */
export async function revokeOperatorToken(
  database: D1Database,
  id: string,
  now: number,
): Promise<OperatorTokenRow | null> {
  const db = drizzle(database)
  const [, [row]] = await db.batch([
    db
      .update(operatorTokens)
      .set({ revokedAt: now })
      .where(and(eq(operatorTokens.id, id), isNull(operatorTokens.revokedAt))),
    db.select().from(operatorTokens).where(eq(operatorTokens.id, id)),
  ])
  return row ?? null
}

/** Returns the token of a hash or an id that is not revoked, and notes its use once a day. It may have expired. */
export async function heldOperatorToken(
  database: D1Database,
  by: { hash: string } | { id: string },
  now: number,
): Promise<OperatorTokenRow | null> {
  const named = 'hash' in by ? eq(operatorTokens.hash, by.hash) : eq(operatorTokens.id, by.id)
  const [row] = await drizzle(database)
    .select()
    .from(operatorTokens)
    .where(and(named, isNull(operatorTokens.revokedAt)))
  if (row && !hasExpired(row, now) && (row.usedAt ?? 0) < now - DAY) await noteUse(database, row.id, now)
  return row ?? null
}

/** Notes a token's use. Only logs a fault, so that it locks no operator out. */
async function noteUse(database: D1Database, id: string, now: number): Promise<void> {
  try {
    await drizzle(database).update(operatorTokens).set({ usedAt: now }).where(eq(operatorTokens.id, id))
  } catch (error) {
    log.fault('token.use-not-noted', error, { token: id })
  }
}

/** Ends a session, by its hash, and forgets ended ones that have expired in the meantime. */
export async function endSession(
  database: D1Database,
  { hash, expiresAt }: typeof endedSessions.$inferSelect,
  now: number,
): Promise<void> {
  const db = drizzle(database)
  const session = { hash, expiresAt }
  await db.batch([
    db.insert(endedSessions).values(session).onConflictDoUpdate({ target: endedSessions.hash, set: session }),
    db.delete(endedSessions).where(lt(endedSessions.expiresAt, now)),
  ])
}

/** Stands for all sessions from before a restore, instead of a session's hash. */
const ALL_UNTIL = 'all'

/** Ends all sessions that would expire by a time (ms), because the hub cannot know which had ended. */
export function endSessionsUntil(database: D1Database, until: number, now: number): Promise<void> {
  return endSession(database, { hash: ALL_UNTIL, expiresAt: until }, now)
}

/** Tells whether a session that would expire at `until` (ms) was ended. */
export async function isSessionEnded(
  database: D1Database,
  { hash, until }: { hash: string; until: number },
  now: number,
): Promise<boolean> {
  const { hash: ended, expiresAt } = endedSessions
  const rows = await drizzle(database)
    .select({ hash: ended })
    .from(endedSessions)
    .where(and(gt(expiresAt, now), or(eq(ended, hash), and(eq(ended, ALL_UNTIL), gte(expiresAt, until)))))
  return rows.length > 0
}
