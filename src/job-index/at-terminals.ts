import { and, eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { DAY } from '../contract/timestamp.ts'
import { jobs } from './schema.ts'
import { inShards } from './index-shards.ts'

/** The longest time (ms) that a payment at a terminal can be open: some minutes, and a day of doubt. */
const LONGEST = 2 * DAY
/** The most open payments of a point of sale that count, newest first. */
const MOST = 100

/** Returns the newest open job of a point of sale at each terminal, according to the index. */
export async function openJobsAtTerminals(env: Env, pos: string): Promise<Map<string, string>> {
  const from = (Date.now() - LONGEST) * 1000
  const isOpenThere = and(
    eq(jobs.pos, pos),
    // The condition of the table's partial index, word for word: SQLite uses the index for no other.
    sql`terminal is not null and status = 'PENDING'`,
  )
  const found = await inShards(
    env,
    (database) =>
      drizzle(database)
        .select({ terminal: jobs.terminal, id: jobs.id, created: jobs.created })
        .from(jobs)
        .where(isOpenThere)
        // The plus keeps SQLite off the key of the table, by which it would read all jobs of the shop.
        .orderBy(sql`+${jobs.created} desc`)
        .limit(MOST),
    { from, to: Infinity },
  )
  const oldestFirst = found.toSorted((one, other) => one.created - other.created)
  return new Map(oldestFirst.map(({ terminal, id }) => [terminal ?? '', id]))
}
