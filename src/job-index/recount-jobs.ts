import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import * as v from 'valibot'
import { type JobKey, JobRow } from '../job/core/row.ts'
import { jobCounts, jobs } from './schema.ts'
import { byKey, nextKeys, shops } from './by-shop.ts'
import { type Hours, KEY, SUMS_OF_SIGNED, anyOf, countersOf, hoursOf, list, spanOf } from './counters.ts'
import { inShards, shardsOf } from './index-shards.ts'

/** Finds the hours (since 1970) of a day (`2026-01-31`) whose counters differ from its rows. */
export async function wrongHours(env: Env, day: string): Promise<number[]> {
  const hours = hoursOf(day)
  const found = await inShards(env, (database) => wrongHoursAt(database, hours), spanOf(hours))
  return [...new Set(found)].toSorted((one, other) => one - other)
}

/** Counts a day with wrong hours again, in one transaction per shard. Counters of purged jobs stay. */
export async function recountJobs(env: Env, day: string): Promise<void> {
  const hours = hoursOf(day)
  await Promise.all(
    shardsOf(env, spanOf(hours)).map(async (database) => {
      if ((await wrongHoursAt(database, hours)).length === 0) return
      const db = drizzle(database)
      await db.batch([
        db.delete(jobCounts).where(countersOf(hours, false)),
        db.insert(jobCounts).select(sql`with ${rowsOf(hours)} ${SUMS_OF_SIGNED}`),
      ])
    }),
  )
}

async function wrongHoursAt(database: D1Database, hours: Hours): Promise<number[]> {
  const columns = Object.values(KEY).map((column) => sql.identifier(column.name))
  const key = sql.join(columns, sql`, `)
  const counted = sql`select ${key}, ${list((column) => sql`-${column}`)} from ${jobCounts}
    where ${countersOf(hours, false)}`
  const found = await drizzle(database).all<{ hour: number }>(sql`with ${rowsOf(hours)}
    select distinct hour from (select * from (${SUMS_OF_SIGNED}) union all ${counted})
    group by ${key} having ${anyOf((counter) => sql`sum(${counter})`)}
    order by hour`)
  return found.map(({ hour }) => hour)
}

/** Returns SQL for the rows of some hours, shop by shop, because no index has rows by time only. */
function rowsOf(hours: Hours): SQL {
  const { from, to } = spanOf(hours)
  return sql`${shops()}, signed as (
    select 1 as sign, 0 as purged, jobs.* from shop cross join jobs on jobs.pos = shop.pos
      and created >= ${from} and created < ${to})`
}

/** Reads rows of a day (UTC) in the order of the key, after the job `after`. */
export async function rowsOfDay(
  env: Env,
  day: string,
  after: JobKey | null,
  limit: number,
): Promise<JobRow[]> {
  const span = spanOf(hoursOf(day))
  const keys = nextKeys({ ...span, after, limit })
  const found = await inShards(
    env,
    (database) =>
      drizzle(database)
        .select()
        .from(jobs)
        .where(sql`(pos, created, id) in (${keys})`)
        // The plus keeps SQLite from reading the whole table to order it.
        .orderBy(sql`+pos`, sql`+created`, sql`+id`),
    span,
  )
  return found.toSorted(byKey).slice(0, limit)
}

/** Returns whether a row is right. `updated` and `sequence` may lag, because not every entry sends a row. */
export function isRightRow(row: JobRow, truth: JobRow): boolean {
  return COLUMNS.options.every((column) =>
    column === 'updated' || column === 'sequence'
      ? row[column] <= truth[column]
      : row[column] === truth[column],
  )
}

const COLUMNS = v.keyof(JobRow)
