import { type Search, conditionsOf } from './search.ts'
import { and, getTableColumns, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobKey, JobRow } from '../job/core/row.ts'
import { nextKeys } from './by-shop.ts'
import { findJobs } from './find-jobs.ts'
import { shardsOf } from './index-shards.ts'
import { jobs } from '../registry/schema.ts'

/** Rows that are read at once: what is walked through is never held whole. */
const PAGE = 1000

type Wanted = Omit<Search, 'after' | 'limit'>

/**
 * All jobs of a search, page by page, each once. Without a key and a point of sale it goes shop by
 * shop, and so reads each row of that time once.
 */
export async function* walkJobs(env: Env, search: Wanted): AsyncGenerator<JobRow[]> {
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

type Page = { row: JobRow; isWanted: number }[]

async function* walkShard(database: D1Database, { filter, from, to }: Wanted): AsyncGenerator<JobRow[]> {
  const db = drizzle(database)
  const wanted = and(...conditionsOf(filter)) ?? sql`1`
  for (let after: JobKey | null = null; ;) {
    const page: Page = await db
      .select({ row: getTableColumns(jobs), isWanted: sql<number>`${wanted}` })
      .from(jobs)
      .where(sql`(pos, created, id) in (${nextKeys({ from, to, after, limit: PAGE })})`)
      // The plus keeps SQLite from going through the whole table for the sake of the order.
      .orderBy(sql`+pos`, sql`+created`, sql`+id`)
    yield page.filter(({ isWanted }) => isWanted === 1).map(({ row }) => row)
    const last = page.at(-1)?.row
    if (last === undefined || page.length < PAGE) return
    after = last
  }
}
