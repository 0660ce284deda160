import type { WeatherChange } from '../job/rules/weather-change.ts'
import { HOUR } from '../contract/timestamp.ts'
import { and, gt, gte, lt, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { jobCounts } from '../registry/schema.ts'
import { ANNOUNCE_TIMES, eachCounter } from './counters.ts'
import { inShards } from './index-shards.ts'

/** How long (ms) what was told may matter to other places, and how much of it: a copy is small. */
const RECENT = HOUR
const MOST_RECENT = 200

const COLUMNS = 'account, payment_method as method, state as "is", since, until, at'

/** Writes what places told of accounts: the newest of each account and method stands, in whatever order it comes. */
export async function rememberWeather(
  database: D1Database,
  changes: readonly WeatherChange[],
): Promise<void> {
  const write = database.prepare(`insert into account_weather
    (account, payment_method, state, since, until, at, last_fault_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    on conflict (account, payment_method) do update set state = excluded.state, since = excluded.since,
      until = excluded.until, at = excluded.at, last_fault_at = coalesce(excluded.last_fault_at, last_fault_at)
    where excluded.at > at`)
  await database.batch(
    changes.map(({ account, method, is, since, until, at }) =>
      write.bind(account, method, is, since, until, at, is === 'well' ? null : at),
    ),
  )
}

/** What was told lately, the newest first. */
export async function recentWeather(database: D1Database, now: number): Promise<WeatherChange[]> {
  const { results } = await database
    .prepare(`select ${COLUMNS} from account_weather where at >= ?1 order by at desc limit ${MOST_RECENT}`)
    .bind(now - RECENT)
    .all<WeatherChange>()
  return results
}

/** What is told of an account and a method, and how often and how fast it took orders in some hours. */
export type ToldWeather = WeatherChange & { lastFaultAt: number | null }
export type AnnounceCounts = {
  account: string
  method: string
  times: number[]
  missed: number
  lastHour: number
}

/** All that places have told last, however long ago. */
export async function toldWeather(database: D1Database): Promise<ToldWeather[]> {
  const { results } = await database
    .prepare(`select ${COLUMNS}, last_fault_at as lastFaultAt from account_weather`)
    .all<ToldWeather>()
  return results
}

/** How orders of some hours (since 1970) were taken, over all shards. `lastHour` is the newest in which one was. */
export function announceCounts(env: Env, from: number, to: number): Promise<AnnounceCounts[]> {
  const taken = sql.join(
    ANNOUNCE_TIMES.map((name) => jobCounts[name]),
    sql` + `,
  )
  const method = sql<string>`lower(${jobCounts.paymentMethod})`
  const sums = eachCounter((column) => sql<number>`sum(${column})`)
  return inShards(
    env,
    async (database) => {
      const found = await drizzle(database)
        .select({
          account: jobCounts.account,
          method,
          lastHour: sql<number>`coalesce(max(iif(${taken} > 0, ${jobCounts.hour}, null)), 0)`,
          ...sums,
        })
        .from(jobCounts)
        .where(and(gte(jobCounts.hour, from), lt(jobCounts.hour, to)))
        .groupBy(jobCounts.account, method)
        .having(or(gt(sums.missed, 0), sql`sum(${taken}) > 0`))
      return found.map((row) => ({
        account: row.account,
        method: row.method,
        times: ANNOUNCE_TIMES.map((name) => row[name]),
        missed: row.missed,
        lastHour: row.lastHour,
      }))
    },
    { from: from * HOUR * 1000, to: to * HOUR * 1000 },
  )
}
