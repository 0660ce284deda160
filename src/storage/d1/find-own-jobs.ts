import { and, desc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Status } from '../../domain/job.ts'
import type { JobRow } from '../../domain/job-row.ts'
import type { Micros } from '../../domain/timestamp.ts'
import { type JobPlace, newestFirst, ofPos } from './find-jobs.ts'
import { indexShards } from './index-shards.ts'
import { jobs } from './schema.ts'

/** The most rows of a database that one search looks through. */
export const MOST_SCANNED = 1000

/** Jobs of one point of sale that were created in a time (`to` is not in it), before the place `after` where a search has come to. */
export type OwnSearch = {
  pos: string
  orderNumber: string | null
  status: Status | null
  from: Micros
  to: Micros
  after: JobPlace | null
  limit: number
}

/** A page of what was found, newest first. `next` is the place after which more may be found, or null. */
export type OwnJobs = { rows: JobRow[]; next: JobPlace | null }

/**
 * Finds jobs of a point of sale. What is searched for is one range of an index that has rows of this point of sale alone: what
 * others have neither costs it anything nor shows, not even in `next`. No index has the status, so a bounded part is looked
 * through for it: a page can have few rows, or none, and still a next one.
 */
export const findOwnJobs = async (env: Env, search: OwnSearch): Promise<OwnJobs> => {
  const { from, to, after, pos, limit } = search
  const end: JobPlace = after && after.created < to ? after : { created: to, id: '' }
  const databases = indexShards(env).between(from, Math.min(to, end.created + 1), pos)
  const parts = await Promise.all(databases.map((database) => findAt(database, search, end)))
  const reached = parts
    .flatMap((part) => part.reached ?? [])
    .toSorted(newestFirst)
    .at(0)
  // Each database has a time of its own. One that was not looked through to its end may have more rows before the others'.
  const rows = parts
    .flatMap((part) => part.rows)
    .filter((row) => !reached || newestFirst(row, reached) <= 0)
    .toSorted(newestFirst)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last ? { created: last.created, id: last.id } : null
  return { rows: page, next: more ?? reached ?? null }
}

/** The rows that are wanted of the part that is looked through, and where that part ends if it is not the whole. */
const findAt = async (
  database: D1Database,
  { pos, orderNumber, status, from, limit }: OwnSearch,
  end: JobPlace,
): Promise<{ rows: JobRow[]; reached: JobPlace | null }> => {
  const db = drizzle(database)
  const range = and(
    ofPos(pos, orderNumber),
    sql`created >= ${from} and (created, id) < (${end.created}, ${end.id})`,
  )
  const order = [desc(jobs.created), desc(jobs.id)]
  const scanned = db
    .select()
    .from(jobs)
    .where(range)
    .orderBy(...order)
    .limit(MOST_SCANNED)
    .as('scanned')
  // The order is that of the part: without one of its own, the search ends with the last row that it needs.
  const rows = await db
    .select()
    .from(scanned)
    .where(status === null ? undefined : eq(scanned.status, status))
    .limit(limit + 1)
  // Where every row is wanted, fewer of them than could be looked through are the whole range.
  if (rows.length > limit || status === null) return { rows, reached: null }
  const [reached = null] = await db
    .select({ created: jobs.created, id: jobs.id })
    .from(jobs)
    .where(range)
    .orderBy(...order)
    .limit(1)
    .offset(MOST_SCANNED - 1)
  return { rows, reached }
}
