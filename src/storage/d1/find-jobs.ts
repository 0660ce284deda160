import { type SQL, and, desc, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobRow } from '../../domain/job-row.ts'
import type { Micros } from '../../domain/timestamp.ts'
import { indexShards } from './index-shards.ts'
import { jobs } from './schema.ts'

/** A job's place in the order that searches have: by creation, and by id where two have the same. */
export type JobPlace = { created: Micros; id: string }

/** Jobs created in a time (`to` is not in it), before the place `after` where a search has come to. */
export type Search = {
  orderNumber: string | null
  pos: string | null
  from: Micros
  to: Micros
  after: JobPlace | null
  limit: number
}

/**
 * Finds jobs, newest first. Each search is one range of an index that has its order, so it reads about as many rows as
 * it finds, of as many jobs as there may be; one that names no point of sale does so for each. Only shards that may have
 * such jobs are asked.
 */
export const findJobs = async (env: Env, search: Search): Promise<JobRow[]> => {
  const { from, to, after, pos, limit } = search
  const end: JobPlace = after && after.created < to ? after : { created: to, id: '' }
  const databases = indexShards(env).between(from, Math.min(to, end.created + 1), pos)
  const found = await Promise.all(databases.map((database) => findAt(database, search, end)))
  return found.flat().toSorted(newestFirst).slice(0, limit)
}

const findAt = (database: D1Database, search: Search, end: JobPlace): Promise<JobRow[]> => {
  const inTime = sql`created >= ${search.from} and (created, id) < (${end.created}, ${end.id})`
  return drizzle(database)
    .select()
    .from(jobs)
    .where(and(...keysOf(search, inTime), inTime))
    .orderBy(desc(jobs.created), desc(jobs.id))
    .limit(search.limit)
}

const keysOf = ({ orderNumber, pos, limit }: Search, inTime: SQL): SQL[] => {
  if (pos !== null) return [ofPos(pos, orderNumber)]
  return [newestOfEach(orderNumber === null ? [] : [eq(jobs.orderNumber, orderNumber)], inTime, limit)]
}

/**
 * The jobs of a point of sale, all of them or those of an order number. `likely` says that its rows are many: else SQLite goes
 * through all of them instead of through those of the order number.
 */
export const ofPos = (pos: string, orderNumber: string | null): SQL =>
  orderNumber === null
    ? eq(jobs.pos, pos)
    : sql`${jobs.orderNumber} = ${orderNumber} and likely(${jobs.pos} = ${pos})`

/**
 * The newest jobs of each point of sale, all of them or those of an order number: the rows and the index are in the order of points
 * of sale, and an index by time alone would cost every job one more row. Points of sale are found by leaps along the key.
 */
const newestOfEach = (key: SQL[], inTime: SQL, limit: number): SQL => sql`(pos, created, id) in (
  with recursive shop(pos) as (
    select min(pos) from jobs ${where(key)} union all
    select (select min(pos) from jobs ${where([...key, sql`pos > shop.pos`])}) from shop where shop.pos is not null)
  select newest.pos, newest.created, newest.id
  from shop cross join jobs as newest on newest.pos = shop.pos
  and (newest.created, newest.id) in (
    select created, id from jobs ${where([...key, sql`pos = shop.pos`, inTime])}
    order by created desc, id desc limit ${limit}))`

const where = (all: SQL[]): SQL => (all.length === 0 ? sql`` : sql`where ${and(...all)}`)

/** For sorting: by creation, and by id where two have the same. */
export const newestFirst = (one: JobPlace, other: JobPlace): number =>
  other.created - one.created || (other.id > one.id ? 1 : -1)

/** How many jobs at an account have no end yet. It reads every row: for what an operator does once in a while. */
export const countOpenJobsAt = async (env: Env, account: string): Promise<number> => {
  const counts = await Promise.all(
    indexShards(env).all.map((database) =>
      drizzle(database).$count(jobs, and(eq(jobs.account, account), eq(jobs.status, 'PENDING'))),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}
