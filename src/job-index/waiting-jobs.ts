import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { jobs } from '../registry/schema.ts'
import { inShards } from './index-shards.ts'

/** Jobs that wait to be announced at an account, and when (µs) the oldest of them was created. */
type WaitingJobs = { account: string; waiting: number; oldest: number }

/**
 * The accounts that have waiting jobs, of all shards. It reads the jobs that wait, and no others.
 */
export async function waitingJobs(env: Env): Promise<WaitingJobs[]> {
  const found = await inShards(env, waitingAt)
  const byAccount = Map.groupBy(found, ({ account }) => account)
  return Array.from(byAccount.values(), (parts) => parts.reduce(together))
}

function together(one: WaitingJobs, other: WaitingJobs): WaitingJobs {
  return { ...one, waiting: one.waiting + other.waiting, oldest: Math.min(one.oldest, other.oldest) }
}

/** The condition is that of the index, in its words: SQLite does not look into parameters. */
function waitingAt(database: D1Database): Promise<WaitingJobs[]> {
  return drizzle(database)
    .select({
      account: jobs.account,
      waiting: sql<number>`count(*)`,
      oldest: sql<number>`min(${jobs.created})`,
    })
    .from(jobs)
    .where(sql`announcement = 'due' and status = 'PENDING'`)
    .groupBy(jobs.account)
}
