import { DAY, HOUR } from '../contract/timestamp.ts'
import { COUNTERS, KEY, sumsOf } from './counters.ts'
import { indexShards } from './index-shards.ts'

const HOUR_MICROS = HOUR * 1000

/** The rows of ?1 <= hour < ?2, found point of sale by point of sale along the key: no index has them by time. */
const ROWS = `recursive shop(pos) as (
    select min(pos) from jobs union all
    select (select min(pos) from jobs where pos > shop.pos) from shop where shop.pos is not null),
  signed as (
    select 1 as sign, 0 as purged, created, jobs.pos, account, payment_method, currency, status, paid, paid_after
    from shop cross join jobs on jobs.pos = shop.pos and created >= ?1 * ${HOUR_MICROS} and created < ?2 * ${HOUR_MICROS})`

const WRONG = `with ${ROWS}
  select distinct hour from (
    select * from (${sumsOf('signed')}) union all
    select ${KEY}, ${COUNTERS.map((counter) => `-${counter}`).join(', ')} from job_counts
    where hour >= ?1 and hour < ?2 and purged = 0)
  group by ${KEY} having ${COUNTERS.map((counter) => `sum(${counter}) <> 0`).join(' or ')}
  order by hour`

const REMOVE = 'delete from job_counts where hour >= ?1 and hour < ?2 and purged = 0'
const COUNT = `with ${ROWS} insert into job_counts (${KEY}, ${COUNTERS.join(', ')}) ${sumsOf('signed')}`

/** The hours (since 1970) of a day, such as 2026-01-31, whose counters are not what the rows of the index come to. */
export async function wrongHours(env: Env, day: string): Promise<number[]> {
  const found = await Promise.all(databasesOf(env, day).map((database) => wrongHoursAt(database, day)))
  return [...new Set(found.flat())].toSorted((one, other) => one - other)
}

/**
 * Counts the rows of a day again where its counters are wrong. A batch is a transaction, as is that of the queue's consumer: rows
 * that come meanwhile are counted by the one or by the other. Jobs that were purged have no rows; their counters stay.
 */
export async function recountJobs(env: Env, day: string): Promise<void> {
  await Promise.all(
    databasesOf(env, day).map(async (database) => {
      if ((await wrongHoursAt(database, day)).length === 0) return
      const hours = hoursOf(day)
      await database.batch([REMOVE, COUNT].map((text) => database.prepare(text).bind(...hours)))
    }),
  )
}

async function wrongHoursAt(database: D1Database, day: string): Promise<number[]> {
  const { results } = await database
    .prepare(WRONG)
    .bind(...hoursOf(day))
    .all<{ hour: number }>()
  return results.map(({ hour }) => hour)
}

function databasesOf(env: Env, day: string): D1Database[] {
  const [from, to] = hoursOf(day)
  return indexShards(env).between(from * HOUR_MICROS, to * HOUR_MICROS, null)
}

function hoursOf(day: string): [from: number, to: number] {
  const from = Date.parse(`${day}T00:00:00Z`)
  return [from / HOUR, (from + DAY) / HOUR]
}
