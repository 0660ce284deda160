import { type SQL, and, eq, desc, sql, getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobPosition } from '../contract/queries.ts'
import type { Micros } from '../contract/timestamp.ts'
import type { JobRow, JobKey } from '../job/core/row.ts'
import { jobs } from './schema.ts'
import { type Among, byCreation, nextKeys, shops, whereAll } from './by-shop.ts'
import { inShards, shardsOf } from './index-shards.ts'
import { type Search, type JobRange, rangesOf, conditionsOf } from './search.ts'

/** A page of jobs, newest first. The search continues after `next`; null at the end. */
export type FoundJobs = { rows: JobRow[]; next: JobPosition | null }

/**
 * Finds jobs, newest first. Goes through ranges of indexes that are in that order, and reads about as
 * many rows as it finds; without a point of sale it does so for each one. No index covers a filter, so
 * a search with one looks through a bounded part: a page can be empty and still have a next page. A
 * search for one point of sale reads only its rows, so other shops' jobs never show, not even in
 * `next`.
 */
export async function findJobs(env: Env, search: Search): Promise<FoundJobs> {
  const { from, to, after, limit } = search
  const end: JobPosition = after && after.created < to ? after : { created: to, id: '' }
  const ranges = rangesOf(search)
  const parts = await inShards(
    env,
    (database) => Promise.all(ranges.map((range) => findPart(database, range, { from, end, limit }))),
    { from, to: Math.min(to, end.created + 1) },
  )
  const [reached] = parts.flatMap((part) => part.reached ?? []).toSorted(newestFirst)
  // A part that the search has not finished may have rows that come before these.
  const found = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => !reached || newestFirst(row, reached) <= 0)
    .toSorted(newestFirst)
  const rows = found.filter(({ id }, at) => id !== found[at - 1]?.id)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last ? { created: last.created, id: last.id } : null
  return { rows: page, next: more ?? reached ?? null }
}

function newestFirst(one: JobPosition, other: JobPosition): number {
  return byCreation(other, one)
}

/** Counts the pending jobs at an account. Reads every row, so call it rarely. */
export async function countOpenJobsAt(env: Env, account: string): Promise<number> {
  const isOpenThere = and(eq(jobs.account, account), eq(jobs.status, 'PENDING'))
  const counts = await inShards(env, async (database) => [await drizzle(database).$count(jobs, isOpenThere)])
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The most rows of a range that a search looks through. */
export const MOST_SCANNED = 1000

/** The most rows of each point of sale that a search without one looks through. */
export const MOST_SCANNED_OF_EACH = 200

type Window = { from: Micros; end: JobPosition; limit: number }

/** The found rows of a part, and where the search stopped if that was before its end. */
type Part = { rows: JobRow[]; reached: JobPosition | null }

const NEWEST_FIRST = [desc(jobs.created), desc(jobs.id)]
const POSITION = { created: jobs.created, id: jobs.id }

/** Looks through a range at one database, newest first, for up to one row more than the limit. */
async function findPart(
  database: D1Database,
  { whole, each, among, filter }: JobRange,
  { from, end, limit }: Window,
): Promise<Part> {
  const inTime = sql`created >= ${from} and (created, id) < (${end.created}, ${end.id})`
  return whole === null
    ? findOfEach(database, { key: each, among, inTime }, filter, limit)
    : findInWhole(database, sql`${whole} and ${inTime}`, filter, limit)
}

async function findInWhole(database: D1Database, range: SQL, filter: SQL[], limit: number): Promise<Part> {
  const db = drizzle(database)
  const all = db
    .select()
    .from(jobs)
    .where(range)
    .orderBy(...NEWEST_FIRST)
  if (filter.length === 0) return { rows: await all.limit(limit + 1), reached: null }
  // Without an order of its own the query keeps that of the part, and ends with the last row it needs.
  const rows = await db
    .select()
    .from(all.limit(MOST_SCANNED).as('scanned'))
    .where(and(...filter))
    .limit(limit + 1)
  if (rows.length > limit) return { rows, reached: null }
  const [reached = null] = await db
    .select(POSITION)
    .from(jobs)
    .where(range)
    .orderBy(...NEWEST_FIRST)
    .limit(1)
    .offset(MOST_SCANNED - 1)
  return { rows, reached }
}

type Each = { key: SQL[]; among: Among | undefined; inTime: SQL }

async function findOfEach(database: D1Database, each: Each, filter: SQL[], limit: number): Promise<Part> {
  const db = drizzle(database)
  const scanned = filter.length === 0 ? limit + 1 : MOST_SCANNED_OF_EACH
  const found = db
    .select()
    .from(jobs)
    .where(and(newestOfEach(each, { limit: scanned }), each.inTime, ...filter))
    .orderBy(...NEWEST_FIRST)
    .limit(limit + 1)
  if (filter.length === 0) return { rows: await found, reached: null }
  const [rows, [reached = null]] = await db.batch([
    found,
    db
      .select(POSITION)
      .from(jobs)
      .where(newestOfEach(each, { limit: 1, offset: scanned - 1 }))
      .orderBy(...NEWEST_FIRST)
      .limit(1),
  ])
  return { rows, reached }
}

/**
 * Returns SQL for the newest jobs of each point of sale, of all or of those with a key. The indexes
 * are in the order of points of sale; an index by time only would cost every job another row.
 */
function newestOfEach(
  { key, among, inTime }: Each,
  { limit, offset = 0 }: { limit: number; offset?: number },
): SQL {
  return sql`(pos, created, id) in (
  with ${shops(key, [], among)}
  select newest.pos, newest.created, newest.id
  from shop cross join jobs as newest on newest.pos = shop.pos
  and (newest.created, newest.id) in (
    select created, id from jobs ${whereAll([...key, ofShop(key), inTime])}
    order by created desc, id desc limit ${limit} offset ${offset}))`
}

/** Uses `likely` for the same reason as `rangeOf`. */
function ofShop(key: SQL[]): SQL {
  return key.length === 0 ? sql`pos = shop.pos` : sql`likely(pos = shop.pos)`
}

/** The most rows on a page: a walk never holds all rows at once. */
const PAGE = 1000

type WholeSearch = Omit<Search, 'after' | 'limit'>

/** Yields all jobs of a search, page by page; without a key and a point of sale, shop by shop. */
export async function* walkJobs(env: Env, search: WholeSearch): AsyncGenerator<JobRow[]> {
  if (search.keys.length > 0 || search.pos !== null) {
    for (let after: Search['after'] = null; ;) {
      const page = await findJobs(env, { ...search, after, limit: PAGE })
      yield page.rows
      after = page.next
      if (after === null) return
    }
  }
  for (const database of shardsOf(env, search)) {
    yield* walkShard(database, search)
  }
}

type WalkedPage = { row: JobRow; isWanted: number }[]

async function* walkShard(
  database: D1Database,
  { filter, from, to, among }: WholeSearch,
): AsyncGenerator<JobRow[]> {
  const db = drizzle(database)
  const wanted = and(...conditionsOf(filter)) ?? sql`1`
  for (let after: JobKey | null = null; ;) {
    const page: WalkedPage = await db
      .select({ row: getTableColumns(jobs), isWanted: sql<number>`${wanted}` })
      .from(jobs)
      .where(sql`(pos, created, id) in (${nextKeys({ from, to, after, limit: PAGE }, { among })})`)
      // The plus keeps SQLite from reading the whole table to order it.
      .orderBy(sql`+pos`, sql`+created`, sql`+id`)
    yield page.filter(({ isWanted }) => isWanted === 1).map(({ row }) => row)
    const last = page.at(-1)?.row
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}
