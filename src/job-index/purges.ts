import { asc, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { purges } from '../registry/schema.ts'

export type PurgeCount = typeof purges.$inferSelect

/** Counts jobs that were purged, and the rows of theirs that were removed. */
export async function countPurges(
  database: D1Database,
  counts: Pick<PurgeCount, 'objects' | 'rows'>,
  now: number,
): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10)
  await drizzle(database)
    .insert(purges)
    .values({ day, ...counts })
    .onConflictDoUpdate({
      target: purges.day,
      set: {
        objects: sql`${purges.objects} + excluded.objects`,
        rows: sql`${purges.rows} + excluded.rows`,
      },
    })
}

export async function purgeCounts(database: D1Database): Promise<PurgeCount[]> {
  return drizzle(database).select().from(purges).orderBy(asc(purges.day))
}
