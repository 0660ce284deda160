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
 * it finds, of as many jobs as there may be; one by time alone does so for each point of sale. Only shards that may have
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

/** Few jobs share an order number. The plus keeps SQLite from going through all those of the point of sale instead. */
const keysOf = ({ orderNumber, pos, limit }: Search, inTime: SQL): SQL[] => {
  if (orderNumber !== null) {
    return [eq(jobs.orderNumber, orderNumber), ...(pos === null ? [] : [sql`+${jobs.pos} = ${pos}`])]
  }
  return pos === null ? [newestOfEach(inTime, limit)] : [eq(jobs.pos, pos)]
}

/**
 * The newest jobs of each point of sale: the rows are clustered by it, and an index by time alone would cost every job
 * one more row. Points of sale are found by leaps along the key.
 */
const newestOfEach = (inTime: SQL, limit: number): SQL => sql`(pos, created, id) in (
  with recursive shop(pos) as (
    select min(pos) from jobs union all
    select (select min(pos) from jobs where pos > shop.pos) from shop where shop.pos is not null)
  select newest.pos, newest.created, newest.id
  from shop cross join jobs as newest on newest.pos = shop.pos
  and (newest.created, newest.id) in (
    select created, id from jobs where pos = shop.pos and ${inTime} order by created desc, id desc limit ${limit}))`

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
