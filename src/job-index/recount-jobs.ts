import { type SQL, and, eq, gte, lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import * as v from 'valibot'
import { DAY, HOUR } from '../contract/timestamp.ts'
import { type JobKey, JobRow } from '../job/core/row.ts'
import { jobCounts, jobs } from './schema.ts'
import { byKey, nextKeys, shops } from './by-shop.ts'
import { KEY, SUMS_OF_SIGNED, anyOf, list } from './counters.ts'
import { type Span, inShards, shardsOf } from './index-shards.ts'

const HOUR_MICROS = HOUR * 1000

type Hours = { from: number; to: number }

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
        db.delete(jobCounts).where(countersOf(hours)),
        db.insert(jobCounts).select(sql`with ${rowsOf(hours)} ${SUMS_OF_SIGNED}`),
      ])
    }),
  )
}

async function wrongHoursAt(database: D1Database, hours: Hours): Promise<number[]> {
  const columns = Object.values(KEY).map((column) => sql.identifier(column.name))
  const key = sql.join(columns, sql`, `)
  const counted = sql`select ${key}, ${list((column) => sql`-${column}`)} from ${jobCounts} where ${countersOf(hours)}`
  const found = await drizzle(database).all<{ hour: number }>(sql`with ${rowsOf(hours)}
    select distinct hour from (select * from (${SUMS_OF_SIGNED}) union all ${counted})
    group by ${key} having ${anyOf((counter) => sql`sum(${counter})`)}
    order by hour`)
  return found.map(({ hour }) => hour)
}

function countersOf({ from, to }: Hours) {
  return and(gte(jobCounts.hour, from), lt(jobCounts.hour, to), eq(jobCounts.purged, false))
}

/** Returns SQL for the rows of some hours, shop by shop, because no index has rows by time only. */
function rowsOf({ from, to }: Hours): SQL {
  return sql`${shops()}, signed as (
    select 1 as sign, 0 as purged, created, jobs.pos, account, payment_method, currency, status, paid, paid_after,
      refunded, charged_back
    from shop cross join jobs on jobs.pos = shop.pos
      and created >= ${from * HOUR_MICROS} and created < ${to * HOUR_MICROS})`
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

function hoursOf(day: string): Hours {
  const from = Date.parse(`${day}T00:00:00Z`)
  return { from: from / HOUR, to: (from + DAY) / HOUR }
}

function spanOf({ from, to }: Hours): Span {
  return { from: from * HOUR_MICROS, to: to * HOUR_MICROS }
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
