import { type SQL, and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Profile } from '../../domain/profile.ts'
import { apiKeys, pointsOfSale, pspAccounts, routes } from './schema.ts'

export type PointOfSale = typeof pointsOfSale.$inferSelect

/** Adds a point of sale with its first API key, both or neither. */
export const addPointOfSale = async (
  database: D1Database,
  pos: PointOfSale,
  keyHash: string,
): Promise<void> => {
  const db = drizzle(database)
  await db.batch([
    db.insert(pointsOfSale).values(pos),
    db.insert(apiKeys).values({ hash: keyHash, pos: pos.id, createdAt: pos.createdAt }),
  ])
}

export const listPointsOfSale = async (database: D1Database): Promise<PointOfSale[]> =>
  drizzle(database).select().from(pointsOfSale).orderBy(asc(pointsOfSale.createdAt), asc(pointsOfSale.id))

/** Marks a point of sale as disabled. False when there is none of that id; the first time stays. */
export const disablePointOfSale = async (database: D1Database, id: string, now: number): Promise<boolean> => {
  const db = drizzle(database)
  const [, found] = await db.batch([
    db
      .update(pointsOfSale)
      .set({ disabledAt: now })
      .where(and(eq(pointsOfSale.id, id), isNull(pointsOfSale.disabledAt))),
    db.select({ id: pointsOfSale.id }).from(pointsOfSale).where(eq(pointsOfSale.id, id)),
  ])
  return found.length > 0
}

/** Lets a disabled point of sale in again. False when there is none of that id. */
export const enablePointOfSale = async (database: D1Database, id: string): Promise<boolean> =>
  (await changePointOfSale(database, id, { disabledAt: null })) !== null

/** Changes what stands for a point of sale. It as it is now, or null when there is none of that id. */
export const changePointOfSale = async (
  database: D1Database,
  id: string,
  changes: Partial<Pick<PointOfSale, 'name' | 'signReturn' | 'disabledAt'>>,
): Promise<PointOfSale | null> => {
  const [row] = await drizzle(database)
    .update(pointsOfSale)
    .set(changes)
    .where(eq(pointsOfSale.id, id))
    .returning()
  return row ?? null
}

/** Adds an API key beside those that are live. */
export const addApiKey = async (
  database: D1Database,
  pos: string,
  hash: string,
  now: number,
): Promise<void> => {
  await drizzle(database).insert(apiKeys).values({ hash, pos, createdAt: now })
}

/** Revokes every live API key of a point of sale but its newest. How many that were. */
export const revokeOlderKeys = async (database: D1Database, pos: string, now: number): Promise<number> => {
  const db = drizzle(database)
  const live = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(and(eq(apiKeys.pos, pos), isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.createdAt))
  const older = live.slice(1).map(({ hash }) => hash)
  for (const hash of older) await db.update(apiKeys).set({ revokedAt: now }).where(eq(apiKeys.hash, hash))
  return older.length
}

/** Moves a point of sale on to its next signing secret. The new version, or null when there is none of that id. */
export const nextSigningVersion = async (database: D1Database, pos: string): Promise<number | null> => {
  const [row] = await drizzle(database)
    .update(pointsOfSale)
    .set({ signingVersion: sql`${pointsOfSale.signingVersion} + 1` })
    .where(eq(pointsOfSale.id, pos))
    .returning({ version: pointsOfSale.signingVersion })
  return row?.version ?? null
}

/** The enabled point of sale that a live API key belongs to, or null. */
export const posByKey = async (database: D1Database, keyHash: string): Promise<string | null> => {
  const [found] = await drizzle(database)
    .select({ pos: apiKeys.pos })
    .from(apiKeys)
    .innerJoin(pointsOfSale, eq(apiKeys.pos, pointsOfSale.id))
    .where(and(eq(apiKeys.hash, keyHash), isNull(apiKeys.revokedAt), isNull(pointsOfSale.disabledAt)))
  return found?.pos ?? null
}

/** The profile of the enabled point of sale that a live API key belongs to, in one round trip; null for any other key. */
export const profileByKey = async (database: D1Database, keyHash: string): Promise<Profile | null> => {
  const pos = sql`(select pos from ${apiKeys} where hash = ${keyHash} and revoked_at is null)`
  const found = await findProfile(database, pos)
  return found?.disabledAt === null ? found.profile : null
}

type Found = { profile: Profile; disabledAt: number | null }

/** The profile of a point of sale, and when it was disabled: a disabled one's jobs are still finished and reported. */
export const profileById = (database: D1Database, id: string): Promise<Found | null> =>
  findProfile(database, id)

const findProfile = async (database: D1Database, id: string | SQL): Promise<Found | null> => {
  const db = drizzle(database)
  const [[pos], routed] = await db.batch([
    db.select().from(pointsOfSale).where(eq(pointsOfSale.id, id)),
    db
      .select({
        paymentMethod: routes.paymentMethod,
        account: {
          id: pspAccounts.id,
          psp: pspAccounts.psp,
          mode: pspAccounts.mode,
          sealed: pspAccounts.sealed,
        },
      })
      .from(routes)
      .innerJoin(pspAccounts, eq(routes.account, pspAccounts.id))
      .where(eq(routes.pos, id))
      .orderBy(asc(routes.paymentMethod), asc(routes.position)),
  ])
  if (!pos) return null
  const accounts = new Map(routed.map(({ account }) => [account.id, account]))
  return {
    disabledAt: pos.disabledAt,
    profile: {
      pos: pos.id,
      mode: pos.mode,
      signReturn: pos.signReturn,
      signingVersion: pos.signingVersion,
      routes: routed.map(({ paymentMethod, account }) => ({ paymentMethod, account: account.id })),
      accounts: [...accounts.values()],
    },
  }
}
