import type { WeatherChange } from '../../domain/weather-change.ts'
import { HOUR } from '../../domain/timestamp.ts'

/** How long (ms) what was told may matter to other places, and how much of it: a copy is small. */
const RECENT = HOUR
const MOST_RECENT = 200

const COLUMNS = 'account, payment_method as method, state as "is", since, until, at'

/** Writes what places told of accounts: the newest of each account and method stands, in whatever order it comes. */
export const rememberWeather = async (
  database: D1Database,
  changes: readonly WeatherChange[],
): Promise<void> => {
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
export const recentWeather = async (database: D1Database, now: number): Promise<WeatherChange[]> => {
  const { results } = await database
    .prepare(`select ${COLUMNS} from account_weather where at >= ?1 order by at desc limit ${MOST_RECENT}`)
    .bind(now - RECENT)
    .all<WeatherChange>()
  return results
}
