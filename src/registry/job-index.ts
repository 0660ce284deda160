import { lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobRow } from '../domain/job-row.ts'
import { jobs } from './schema.ts'

/** Writes rows into the index in one transaction. A row older than the one that stands there changes nothing. */
export const upsertJobs = async (database: D1Database, rows: readonly JobRow[]): Promise<void> => {
  const db = drizzle(database)
  const [first, ...others] = rows.map((row) =>
    db
      .insert(jobs)
      .values(row)
      .onConflictDoUpdate({
        target: [jobs.created, jobs.id],
        set: { paid: row.paid, status: row.status, updated: row.updated, revision: row.revision },
        setWhere: lt(jobs.revision, sql`excluded.revision`),
      }),
  )
  if (first) await db.batch([first, ...others])
}
