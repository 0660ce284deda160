import { and, asc, between, eq, lt, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Forgotten, JobRow } from '../domain/job-row.ts'
import { jobs, purges } from './schema.ts'

/** Writes rows into the index in one transaction. A row older than the one that stands there changes nothing. */
export const upsertJobs = async (database: D1Database, rows: readonly JobRow[]): Promise<void> => {
  const db = drizzle(database)
  const [first, ...others] = rows.map((row) =>
    db
      .insert(jobs)
      .values(row)
      .onConflictDoUpdate({
        target: [jobs.created, jobs.id],
        set: {
          paid: row.paid,
          status: row.status,
          updated: row.updated,
          undeliveredAt: row.undeliveredAt,
          sequence: row.sequence,
        },
        setWhere: lt(jobs.sequence, sql`excluded.sequence`),
      }),
  )
  if (first) await db.batch([first, ...others])
}

/** Removes the rows of forgotten jobs, and counts them. A second time finds no row, and counts none. */
export const removeJobs = async (
  database: D1Database,
  gone: readonly Forgotten['forgotten'][],
  now: number,
): Promise<void> => {
  const db = drizzle(database)
  const day = new Date(now).toISOString().slice(0, 10)
  for (const { id, created } of gone) {
    const row = and(eq(jobs.created, created), eq(jobs.id, id))
    const rows = sql<number>`(select count(*) from ${jobs} where ${row})`
    await db.batch([
      db
        .insert(purges)
        .values({ day, objects: 1, rows })
        .onConflictDoUpdate({
          target: purges.day,
          set: { objects: sql`${purges.objects} + 1`, rows: sql`${purges.rows} + excluded.rows` },
        }),
      db.delete(jobs).where(row),
    ])
  }
}

/** A statement may have 100 parameters, and a key is two. */
const KEYS_PER_QUERY = 45

/** The rows of the given jobs, found by the key of the table. */
export const rowsOf = async (
  database: D1Database,
  keys: readonly { id: string; created: number }[],
): Promise<JobRow[]> => {
  const db = drizzle(database)
  const parts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_QUERY) }, (_, part) =>
    keys.slice(part * KEYS_PER_QUERY, (part + 1) * KEYS_PER_QUERY),
  )
  const found = await Promise.all(
    parts.map((part) =>
      db
        .select()
        .from(jobs)
        .where(or(...part.map(({ id, created }) => and(eq(jobs.created, created), eq(jobs.id, id))))),
    ),
  )
  return found.flat()
}

/** Jobs whose report was given up between two moments (ms), oldest first, at most `limit`. */
export const undeliveredJobs = async (
  database: D1Database,
  from: number,
  to: number,
  limit: number,
): Promise<JobRow[]> =>
  drizzle(database)
    .select()
    .from(jobs)
    .where(between(jobs.undeliveredAt, from, to))
    .orderBy(asc(jobs.undeliveredAt))
    .limit(limit)

export const purgeCounts = async (database: D1Database): Promise<(typeof purges.$inferSelect)[]> =>
  drizzle(database).select().from(purges).orderBy(asc(purges.day))
