import type { JobKey } from '../job/rules/job-row.ts'
import type { Sweep } from './sweep-plan.ts'
import { inShards } from './index-shards.ts'

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
