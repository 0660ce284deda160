import { type SQL, and, asc, between, eq, getTableColumns, lt, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobKey, JobRow } from '../job/rules/job-row.ts'
import type { PurgeMessage } from '../job/rules/messages.ts'
import { countPurged, countRemoved, countWritten } from './count-jobs.ts'
import { atShards, indexShards } from './index-shards.ts'
import { jobs } from '../registry/schema.ts'

/** Writes rows into their shards, at all of them at once. Throws when one of them fails; the others have theirs. */
export async function writeRows(env: Env, rows: readonly JobRow[]): Promise<void> {
  await atShards(indexShards(env), rows, upsertJobs)
}

/**
 * Puts rows in the place of those that were found there, whatever their sequence. One that has changed since it was found is
 * newer, and stays if the new row is older.
 */
export async function replaceRows(
  env: Env,
  found: readonly JobRow[],
  rows: readonly JobRow[],
): Promise<void> {
  await atShards(indexShards(env), found, removeRows)
  await writeRows(env, rows)
}

async function removeRows(database: D1Database, found: readonly JobRow[]): Promise<void> {
  const remove = database.prepare(`${DELETE} and sequence = ?`)
  await database.batch([
    countRemoved(database, found),
    ...found.map(({ pos, created, id, sequence }) => remove.bind(pos, created, id, sequence)),
  ])
}

const DELETE = 'delete from jobs where pos = ? and created = ? and id = ?'

/** Writes rows into a shard, and counts them, in one transaction. A row older than the one that stands there changes nothing. */
export async function upsertJobs(database: D1Database, rows: readonly JobRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  upsert ??= upsertOf(database, first)
  const statement = database.prepare(upsert)
  await database.batch([countWritten(database, rows), ...rows.map((row) => statement.bind(...valuesOf(row)))])
}

/** The statement that writes a row, made once: making it takes longer than running it, and a batch has a hundred. */
let upsert: string | undefined

function upsertOf(database: D1Database, row: JobRow): string {
  return drizzle(database)
    .insert(jobs)
    .values(row)
    .onConflictDoUpdate({
      target: [jobs.pos, jobs.created, jobs.id],
      set: {
        account: sql`excluded.account`,
        paid: sql`excluded.paid`,
        status: sql`excluded.status`,
        updated: sql`excluded.updated`,
        undeliveredAt: sql`excluded.undelivered_at`,
        sequence: sql`excluded.sequence`,
        reference: sql`excluded.reference`,
        announcement: sql`excluded.announcement`,
        owedSince: sql`excluded.owed_since`,
        paidAfter: sql`excluded.paid_after`,
      },
      setWhere: lt(jobs.sequence, sql`excluded.sequence`),
    })
    .toSQL().sql
}

/** In the order of the table's columns, as the statement has them. */
const COLUMNS = Object.keys(getTableColumns(jobs))

function valuesOf(row: JobRow): unknown[] {
  const values = new Map<string, unknown>(Object.entries(row))
  return COLUMNS.map((name) => values.get(name))
}

/**
 * Removes the rows of purged jobs from a shard in one transaction, and counts them as purged. How many there were: a second time
 * finds none.
 */
export async function removeJobs(
  database: D1Database,
  gone: readonly PurgeMessage['forgotten'][],
): Promise<number> {
  const remove = database.prepare(`${DELETE} and sequence <= coalesce(?, sequence) returning id`)
  const [, ...removed] = await database.batch([
    countPurged(database, gone),
    ...gone.map(({ pos, created, id, sequence }) => remove.bind(pos, created, id, sequence ?? null)),
  ])
  return removed.flatMap(({ results }) => results).length
}

function isRow({ pos, created, id }: JobKey): SQL | undefined {
  return and(eq(jobs.pos, pos), eq(jobs.created, created), eq(jobs.id, id))
}

/** A statement may have 100 parameters, and a key is three. */
const KEYS_PER_QUERY = 30

/** The rows of the given jobs, each from its shard. */
export async function rowsOf(env: Env, keys: readonly JobKey[]): Promise<JobRow[]> {
  return (await atShards(indexShards(env), keys, rowsAt)).flat()
}

/** The rows of the given jobs at one shard, found by the key of the table. */
async function rowsAt(database: D1Database, keys: readonly JobKey[]): Promise<JobRow[]> {
  const db = drizzle(database)
  const parts = Array.from({ length: Math.ceil(keys.length / KEYS_PER_QUERY) }, (_, part) =>
    keys.slice(part * KEYS_PER_QUERY, (part + 1) * KEYS_PER_QUERY),
  )
  const found = await Promise.all(
    parts.map((part) =>
      db
        .select()
        .from(jobs)
        .where(or(...part.map(isRow))),
    ),
  )
  return found.flat()
}

/** Jobs whose report was given up between two instants (ms), oldest first, at most `limit`: of all shards together. */
export async function undeliveredJobs(env: Env, from: number, to: number, limit: number): Promise<JobRow[]> {
  const found = await Promise.all(
    indexShards(env).all.map((database) =>
      drizzle(database)
        .select()
        .from(jobs)
        .where(between(jobs.undeliveredAt, from, to))
        .orderBy(asc(jobs.undeliveredAt))
        .limit(limit),
    ),
  )
  return found
    .flat()
    .toSorted((one, other) => (one.undeliveredAt ?? 0) - (other.undeliveredAt ?? 0))
    .slice(0, limit)
}
