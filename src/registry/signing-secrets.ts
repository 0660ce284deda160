import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { HOUR } from '../contract/timestamp.ts'
import { pointsOfSale } from './schema.ts'

/** For so long (ms) a repeated call gives the same secret: its first answer may be lost. */
const SAME_SECRET = HOUR

/** The newest signing secret; a `repeated` one was made by an earlier call. Times are in ms. */
type NewestSecret = {
  version: number
  repeated: boolean
  madeAt: number
  formerUntil: number | null
}

/**
 * Makes the next signing secret of a point of sale; null for an unknown id. Within an hour of the
 * last, and while the secret before signs, it makes none, unless `again`. The secret before signs
 * until `formerUntil`; without it a new secret signs at once, and a repeated call changes nothing.
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
  const [made, , [row]] = await db.batch([
    db
      .update(pointsOfSale)
      .set({
        signingVersion: sql`${signingVersion} + 1`,
        secretMadeAt: now,
        formerSecretUntil: null,
      })
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
