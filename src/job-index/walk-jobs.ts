import { type SQL, and, getTableColumns, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobKey, JobRow } from '../job/rules/job-row.ts'
import { type Search, findJobs } from './find-jobs.ts'
import { shardsOf } from './index-shards.ts'
import { conditionsOf } from './job-filter.ts'
import { jobs } from '../registry/schema.ts'

/** Rows that are read at once: what is walked through is never held whole. */
const PAGE = 1000

type Wanted = Omit<Search, 'after' | 'limit'>

/**
 * All jobs of a search, page by page, each once. One that names neither a key nor a point of sale goes through the index in the order
 * of its key, shop by shop, and reads each row of that time once; pages of the newest would read some of each shop again and again.
 */
export const walkJobs = async function* (env: Env, search: Wanted): AsyncGenerator<JobRow[]> {
  if (search.keys.length > 0 || search.pos !== null) {
    for (let after: Search['after'] = null; ;) {
      const page = await findJobs(env, { ...search, after, limit: PAGE })
      yield page.rows
      after = page.next
      if (after === null) return
    }
  }
  for (const database of shardsOf(env, search)) {
    yield* walkShard(database, search)
  }
}

const walkShard = async function* (
  database: D1Database,
  { filter, from, to }: Wanted,
): AsyncGenerator<JobRow[]> {
  const db = drizzle(database)
  const wanted = and(...conditionsOf(filter)) ?? sql`1`
  for (let after: JobKey = { pos: '', created: 0, id: '' }; ;) {
    const page = await db
      .select({ row: getTableColumns(jobs), isWanted: sql<number>`${wanted}` })
      .from(jobs)
      .where(sql`(pos, created, id) in (${nextKeys({ from, to, after })})`)
      // The plus keeps SQLite from going through the whole table for the sake of the order.
      .orderBy(sql`+pos`, sql`+created`, sql`+id`)
    yield page.filter(({ isWanted }) => isWanted === 1).map(({ row }) => row)
    const last = page.at(-1)?.row
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}

/** SQL, because it leaps along the key. The cross join keeps the points of sale, in their order, as the outer loop (see `jobsToWake`). */
function nextKeys({ from, to, after }: { from: number; to: number; after: JobKey }): SQL {
  return sql`
  with recursive shop(pos) as (
    select min(pos) from jobs where pos >= ${after.pos} union all
    select (select min(pos) from jobs where pos > shop.pos) from shop where shop.pos is not null)
  select next.pos, next.created, next.id
  from shop cross join jobs as next on next.pos = shop.pos
    and next.created >= iif(shop.pos = ${after.pos}, max(${after.created}, ${from}), ${from}) and next.created < ${to}
  where (next.pos, next.created, next.id) > (${after.pos}, ${after.created}, ${after.id})
  limit ${PAGE}`
}
