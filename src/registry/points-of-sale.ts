import type { SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { type SQL, and, asc, eq, isNotNull, isNull, sql, lte, or } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { apiKeys, pointsOfSale } from './schema.ts'
import { HOUR } from '../contract/timestamp.ts'
import type { Mode } from '../contract/values.ts'

export type PointOfSale = typeof pointsOfSale.$inferSelect

/** A new API key: its SHA-256 and its limits. */
export type NewApiKey = Pick<typeof apiKeys.$inferSelect, 'hash' | 'expiresAt' | 'can'>

/** Returns whether the hub signs returns. Clients of v1 take an unsigned return as unpaid. */
export function signsReturn({ signReturn, dialect }: Pick<PointOfSale, 'signReturn' | 'dialect'>): boolean {
  return signReturn || dialect === 'v1'
}

/** Adds a point of sale and its first API key, both or neither. */
export async function addPointOfSale(database: D1Database, pos: PointOfSale, key: NewApiKey): Promise<void> {
  const db = drizzle(database)
  await confirmed(() =>
    db.batch([
      db.insert(pointsOfSale).values(pos).onConflictDoNothing(),
      db
        .insert(apiKeys)
        .values({ ...key, pos: pos.id, createdAt: pos.createdAt })
        .onConflictDoNothing(),
    ]),
  )
}

export async function listPointsOfSale(database: D1Database): Promise<PointOfSale[]> {
  return drizzle(database)
    .select()
    .from(pointsOfSale)
    .orderBy(asc(pointsOfSale.createdAt), asc(pointsOfSale.id))
}

export async function posByMode(database: D1Database): Promise<Record<Mode, string[]>> {
  const all = await listPointsOfSale(database)
  const idsOf = (wanted: Mode) => all.flatMap(({ id, mode }) => (mode === wanted ? [id] : []))
  return { live: idsOf('live'), test: idsOf('test') }
}

/** Returns the ids of the points of sale of a mode, or of all; live ones first. */
export async function posIds(database: D1Database, mode?: Mode): Promise<string[]> {
  const { live, test } = await posByMode(database)
  return mode === undefined ? [...live, ...test] : { live, test }[mode]
}

export type NamedPos = Pick<PointOfSale, 'id' | 'name' | 'mode'>

export async function namedPos(
  database: D1Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedPos>> {
  const { id, name, mode } = pointsOfSale
  const found = await drizzle(database)
    .select({ id, name, mode })
    .from(pointsOfSale)
    .where(sql`${pointsOfSale.id} in (select value from json_each(${JSON.stringify(ids)}))`)
  return new Map(found.map((pos) => [pos.id, pos]))
}

/** Tells whether D1 has a point of sale. A database without tables has none. */
export async function hasPointsOfSale(database: D1Database): Promise<boolean> {
  try {
    return (await database.prepare('select 1 from points_of_sale limit 1').first()) !== null
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table')) return false
    throw error
  }
}

/** Disables a point of sale; a repetition keeps the first time (ms). False for an unknown id. */
export function disablePointOfSale(database: D1Database, id: string, now: number): Promise<boolean> {
  return changeWhere(database, id, isNull(pointsOfSale.disabledAt), { disabledAt: now })
}

/** Enables a point of sale again, without its old tokens. False for an unknown id. */
export function enablePointOfSale(database: D1Database, id: string, now: number): Promise<boolean> {
  const changes = { disabledAt: null, ...endTokens(now) }
  return changeWhere(database, id, isNotNull(pointsOfSale.disabledAt), changes)
}

async function changeWhere(
  database: D1Database,
  id: string,
  where: SQL,
  changes: SQLiteUpdateSetSource<typeof pointsOfSale>,
): Promise<boolean> {
  const db = drizzle(database)
  const [, found] = await db.batch([
    db
      .update(pointsOfSale)
      .set(changes)
      .where(and(eq(pointsOfSale.id, id), where)),
    db.select({ id: pointsOfSale.id }).from(pointsOfSale).where(eq(pointsOfSale.id, id)),
  ])
  return found.length > 0
}

/** Ends all tokens. The stored time (ms) always grows, whatever the Worker's clock says. */
export function endTokens(now: number) {
  return { tokensSince: sql`max(coalesce(${pointsOfSale.tokensSince}, 0) + 1, ${now})` }
}

export async function changePointOfSale(
  database: D1Database,
  id: string,
  changes: Partial<Pick<PointOfSale, 'name' | 'signReturn' | 'dialect' | 'refundLimits'>>,
): Promise<PointOfSale | null> {
  const [row] = await drizzle(database)
    .update(pointsOfSale)
    .set(changes)
    .where(eq(pointsOfSale.id, id))
    .returning()
  return row ?? null
}

/** How long (ms) D1 may take to return a name: a request about a payment must not wait for it. */
const LONGEST = 2000

/** Returns the name of a point of sale. Null for an unknown id, or if D1 fails or is too slow. */
export async function posName(database: D1Database, id: string): Promise<string | null> {
  const found = namedPos(database, [id]).catch(() => null)
  return (await within(LONGEST, found))?.get(id)?.name ?? null
}

/**
 * Repeats a write that D1 does not confirm. D1 may have made it, so `write` must be safe to repeat.
 * (D1 repeats reads by itself, but not writes.) Throws if D1 does not confirm the second one either.
 */
export async function confirmed<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    log.fault('registry.write-repeated', error)
    return write()
  }
}

/** How long (ms) a repeated call gets the same secret, in case the first answer was lost. */
const SAME_SECRET = HOUR

/** The newest signing secret. `repeated`: an earlier call made it. Times are in ms. */
type NewestSecret = {
  version: number
  repeated: boolean
  madeAt: number
  formerUntil: number | null
}

/**
 * Makes the next signing secret of a point of sale; null for an unknown id. Without `again`, makes none
 * within an hour of the last, or while the former secret signs. The former secret signs until
 * `formerUntil`; without that, the new one signs at once. A repeated call changes nothing.
 */
export async function nextSigningSecret(
  database: D1Database,
  pos: string,
  { now, formerUntil, again }: { now: number; formerUntil: number | undefined; again: boolean },
): Promise<NewestSecret | null> {
  const db = drizzle(database)
  const { id, signingVersion, secretMadeAt, formerSecretUntil } = pointsOfSale
  const isLongAgo = and(
    or(isNull(secretMadeAt), lte(secretMadeAt, now - SAME_SECRET)),
    or(isNull(formerSecretUntil), lte(formerSecretUntil, now)),
  )
  const next = { signingVersion: sql`${signingVersion} + 1`, secretMadeAt: now, formerSecretUntil: null }
  const [made, , [row]] = await db.batch([
    db
      .update(pointsOfSale)
      .set(next)
      .where(again ? eq(id, pos) : and(eq(id, pos), isLongAgo))
      .returning({ id }),
    db
      .update(pointsOfSale)
      .set({ formerSecretUntil: formerUntil ?? sql`${formerSecretUntil}` })
      .where(eq(id, pos)),
    db.select().from(pointsOfSale).where(eq(id, pos)),
  ])
  if (!row) return null
  return {
    version: row.signingVersion,
    repeated: made.length === 0,
    madeAt: row.secretMadeAt ?? now,
    formerUntil: row.formerSecretUntil,
  }
}
