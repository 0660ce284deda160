import type { JobPosition } from '../contract/queries.ts'
import type { JobRow } from '../job/core/row.ts'
import { byCreation } from './by-shop.ts'
import { inShards } from './index-shards.ts'
import { HOUR } from '../contract/timestamp.ts'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { jobCounts, jobs } from './schema.ts'

const MOST_SHOPS = 100
const MOST_COUNTED = 1000

/** The reports that count: failing since before one time (ms), or given up after the other. */
export type CountedReports = { failingBefore: number; givenUpAfter: number }

/** The numbers of a shop's failing reports, since when (ms) they fail, and the newest of their jobs. */
export type FailingAtShop = { pos: string; failing: number; givenUp: number; since: number; job: string }

/** A job whose report fails, as the index has it. `created` is in µs, other times in ms. */
export type FailingJob = Pick<JobRow, 'id' | 'pos' | 'created' | 'orderNumber' | 'status' | 'givenUpAt'> & {
  failingSince: number
}

type FailingJobsQuery = {
  of: readonly string[]
  failingBefore: number
  after: Pick<FailingJob, 'failingSince' | 'created' | 'id'> | null
  limit: number
}

/**
 * Seeks each shop of a list in the partial index, so it never reads jobs that are well. If many shops
 * fail, it takes the first ones of the list. Drizzle cannot name an index.
 */
const SHOPS = `
  with shop(pos) as (select value from json_each(?1) where exists (
    select 1 from jobs indexed by jobs_failing where failing_since is not null and pos = value) limit ${MOST_SHOPS})`

/** Counts only the newest jobs of each shop, so that many old ones do not hide those that fail today. */
export const SHOPS_QUERY = `${SHOPS}
  select jobs.pos, jobs.id as job, max(jobs.failing_since) as newest,
    sum(given_up_at is null and failing_since < ?2) as failing, sum(given_up_at is not null and given_up_at > ?3) as givenUp,
    (select min(failing_since) from jobs as first indexed by jobs_failing
      where failing_since is not null and pos = shop.pos) as since
  from shop cross join jobs on jobs.pos = shop.pos and (jobs.created, jobs.id) in (
    select created, id from jobs as newer indexed by jobs_failing
    where failing_since is not null and pos = shop.pos order by failing_since desc limit ${MOST_COUNTED})
  group by shop.pos having failing + givenUp > 0`

/** Finds those of these points of sale whose reports fail. */
export async function failingShops(
  env: Env,
  of: readonly string[],
  { failingBefore, givenUpAfter }: CountedReports,
): Promise<FailingAtShop[]> {
  const found = await inShards(env, async (database) => {
    const statement = database.prepare(SHOPS_QUERY).bind(JSON.stringify(of), failingBefore, givenUpAfter)
    return (await statement.all<FailingAtShop>()).results
  })
  const byShop = Map.groupBy(found, (shop) => shop.pos)
  return Array.from(byShop.values(), (parts) => parts.reduce(together))
}

function together(one: FailingAtShop, other: FailingAtShop): FailingAtShop {
  return {
    ...one,
    failing: one.failing + other.failing,
    givenUp: one.givenUp + other.givenUp,
    since: Math.min(one.since, other.since),
  }
}

const ORDER = 'failing_since, created, id'

export const JOBS_QUERY = `${SHOPS}
  select jobs.id, jobs.pos, jobs.created, order_number as orderNumber, status,
    failing_since as failingSince, given_up_at as givenUpAt
  from shop cross join jobs on jobs.pos = shop.pos and (jobs.created, jobs.id) in (
    select created, id from jobs as older indexed by jobs_failing
    where failing_since is not null and pos = shop.pos and (${ORDER}) > (?3, ?4, ?5)
      and (failing_since < ?2 or given_up_at is not null)
    order by ${ORDER} limit ?6)
  order by ${ORDER} limit ?6`

/** Finds jobs whose report has failed since before `failingBefore` (ms) or was given up, oldest first. */
export async function failingJobs(env: Env, query: FailingJobsQuery): Promise<FailingJob[]> {
  const { of, failingBefore, after, limit } = query
  const { failingSince, created, id } = after ?? { failingSince: 0, created: 0, id: '' }
  const found = await inShards(env, async (database) => {
    const statement = database
      .prepare(JOBS_QUERY)
      .bind(JSON.stringify(of), failingBefore, failingSince, created, id, limit)
    return (await statement.all<FailingJob>()).results
  })
  return found
    .toSorted((one, other) => one.failingSince - other.failingSince || byCreation(one, other))
    .slice(0, limit)
}

/** The condition of the partial index, word for word: SQLite does not look into parameters. */
const IS_WAITING = sql`announcement = 'due' and status = 'PENDING'`

/** The jobs that wait to be announced at an account: their number, and when (µs) the oldest was created. */
type WaitingJobs = { account: string; waiting: number; oldest: number }

/** Finds the accounts with waiting jobs. Reads only those jobs. */
export async function waitingJobs(env: Env): Promise<WaitingJobs[]> {
  const found = await inShards(env, (database) =>
    drizzle(database)
      .select({
        account: jobs.account,
        waiting: sql<number>`count(*)`,
        oldest: sql<number>`min(${jobs.created})`,
      })
      .from(jobs)
      .where(IS_WAITING)
      .groupBy(jobs.account),
  )
  const byAccount = Map.groupBy(found, ({ account }) => account)
  return Array.from(byAccount, ([account, parts]) => ({
    account,
    waiting: parts.reduce((sum, { waiting }) => sum + waiting, 0),
    oldest: Math.min(...parts.map(({ oldest }) => oldest)),
  }))
}

/** Finds the next jobs that wait at an account, oldest first. */
export async function jobsWaitingAt(
  env: Env,
  account: string,
  after: JobPosition | null,
  limit: number,
): Promise<JobPosition[]> {
  const { created, id } = after ?? { created: 0, id: '' }
  const found = await inShards(env, (database) =>
    drizzle(database)
      .select({ created: jobs.created, id: jobs.id })
      .from(jobs)
      .where(and(IS_WAITING, eq(jobs.account, account), sql`(created, id) > (${created}, ${id})`))
      .orderBy(jobs.created, jobs.id)
      .limit(limit),
  )
  return found.toSorted(byCreation).slice(0, limit)
}

/** The number of hours that count as lately. */
const LATELY = 30 * 24

/** Returns the accounts that took money lately. Reads counters instead of jobs. */
export async function accountsPaidLately(
  env: Env,
  accounts: readonly string[],
  now: number,
): Promise<Set<string>> {
  if (accounts.length === 0) return new Set()
  const found = await inShards(env, (database) =>
    drizzle(database)
      .selectDistinct({ account: jobCounts.account })
      .from(jobCounts)
      .where(
        and(
          gt(jobCounts.hour, Math.floor(now / HOUR) - LATELY),
          gt(jobCounts.success, 0),
          inArray(jobCounts.account, [...accounts]),
        ),
      ),
  )
  return new Set(found.map(({ account }) => account))
}
