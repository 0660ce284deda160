import type { JobKey } from '../job/rules/job-row.ts'
import { indexMessage } from '../job/rules/messages.ts'
import { wakeJob } from '../job/wake.ts'
import { readConfig } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { eachMessage } from '../platform/read-message.ts'
import { isUnreadable } from '../platform/stored.ts'
import { inShards } from './index-shards.ts'
import { type SweepMessage, type Sweep, sweepMessage, sweepsAt } from './sweep-plan.ts'

/** Jobs woken by one message: each is a call to its object, of which an invocation may make a thousand. */
const PAGE = 200

/** The `sweeps` queue: each message is a page of jobs that should have moved. */
export function consumeSweeps(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, sweepMessage, (message) => wakePage(env, message))
}

/** The next page is sent first: should this one be cut off, it comes again, and jobs may be woken twice. */
async function wakePage(env: Env, { sweep, after }: SweepMessage): Promise<void> {
  const jobs = await jobsToWake(env, sweep, after, PAGE)
  const last = jobs.at(-1)
  if (!last) return
  if (jobs.length === PAGE) await env.SWEEPS.send(sweepMessage.write({ sweep, after: last }))
  log.info('sweep.woken', { status: sweep.status, jobs: jobs.length })
  await Promise.all(jobs.map((job) => wake(env, job)))
}

/**
 * A job that cannot be woken is found again at the next age; it does not bring back the whole page. A row whose job is gone is
 * removed: the job was purged by being woken now, or its row came to the index after the word of the purge. It is of no job that is just being created: an object has its job
 * before it sends the row, and a sweep takes jobs that are a day old or more.
 */
async function wake(env: Env, key: JobKey): Promise<void> {
  try {
    const isThere = await wakeJob(env, key.id)
    if (!isThere) await env.JOB_INDEX.send(indexMessage.write({ forgotten: key }))
  } catch (error) {
    log.fault(isUnreadable(error) ? 'stored.unreadable' : 'sweep.failed', error, {
      job: key.id,
      pos: key.pos,
    })
  }
}

/**
 * Each hour: starts the sweeps for jobs that should have moved and have not, because the platform has given their alarm up, and
 * for those whose retention time is over. What one hour misses is found at the next age.
 */
export async function startSweeps(env: Env, now: number): Promise<void> {
  const sweeps = sweepsAt(now, readConfig(env).retention)
  try {
    await env.SWEEPS.sendBatch(sweeps.map((sweep) => ({ body: sweepMessage.write({ sweep, after: null }) })))
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/**
 * The next jobs of a sweep after one of them, at most `limit`, in the order of the index's key. The rows are clustered by
 * point of sale: it leaps from one to the next, and reads of each the rows of the sweep's time.
 */
export async function jobsToWake(
  env: Env,
  sweep: Sweep,
  after: JobKey | null,
  limit: number,
): Promise<JobKey[]> {
  const found = await inShards(env, (database) => jobsAt(database, sweep, after, limit), sweep)
  return found.toSorted(byKey).slice(0, limit)
}

/** SQL, because it leaps along the key. The cross join keeps the points of sale, in their order, as the outer loop. */
const QUERY = `
  with recursive shop(pos) as (
    select min(pos) from jobs where pos >= ?1 union all
    select (select min(pos) from jobs where pos > shop.pos) from shop where shop.pos is not null)
  select jobs.pos, jobs.created, jobs.id
  from shop cross join jobs on jobs.pos = shop.pos
    and jobs.created >= iif(shop.pos = ?1, ?2, ?4) and jobs.created < ?5
  where (jobs.pos, jobs.created, jobs.id) > (?1, ?2, ?3)
    and (?6 is null or jobs.status = ?6) and (?7 is null or jobs.updated < ?7)
  limit ?8`

async function jobsAt(
  database: D1Database,
  { status, from, to, changedBefore }: Sweep,
  after: JobKey | null,
  limit: number,
): Promise<JobKey[]> {
  const { pos, created, id } = after ?? { pos: '', created: from, id: '' }
  const { results } = await database
    .prepare(QUERY)
    .bind(pos, created, id, from, to, status, changedBefore, limit)
    .all<JobKey>()
  return results
}

function byKey(one: JobKey, other: JobKey): number {
  return compare(one.pos, other.pos) || one.created - other.created || compare(one.id, other.id)
}

/** As SQLite compares texts of plain characters. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
