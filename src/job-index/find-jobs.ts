import { and, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { JobRow } from '../job/rules/job-row.ts'
import type { Micros } from '../contract/timestamp.ts'
import { findPart } from './find-part.ts'
import { inShards } from './index-shards.ts'
import type { JobFilter } from './job-filter.ts'
import { type SearchKey, rangesOf } from './job-ranges.ts'
import { jobs } from '../registry/schema.ts'

/** A job's place in the order that searches have: by creation, and by id where two have the same. */
export type JobPlace = { created: Micros; id: string }

/**
 * Jobs of any of the `keys` (of all, where there is none) that pass the filter, created in a time (`to` is not in it), before the
 * place `after` where a search has come to.
 */
export type Search = {
  keys: readonly SearchKey[]
  pos: string | null
  filter: JobFilter
  from: Micros
  to: Micros
  after: JobPlace | null
  limit: number
}

/** A page of what was found, newest first. `next` is the place after which more may be found, or null. */
export type FoundJobs = { rows: JobRow[]; next: JobPlace | null }

/**
 * Finds jobs, newest first. Each search is of ranges of indexes that have its order, so it reads about as many rows as it finds, of
 * as many jobs as there may be; one that names no point of sale does so for each. No index has what a filter asks for, so a bounded
 * part is looked through for it: a page can have few rows, or none, and still a next one. Only shards that may have such jobs are
 * asked. A search of one point of sale reads rows of that one alone: what others have does not show, not even in `next`.
 */
export async function findJobs(env: Env, search: Search): Promise<FoundJobs> {
  const { from, to, after, limit } = search
  const end: JobPlace = after && after.created < to ? after : { created: to, id: '' }
  const ranges = rangesOf(search)
  const parts = await inShards(
    env,
    (database) => Promise.all(ranges.map((range) => findPart(database, range, { from, end, limit }))),
    { from, to: Math.min(to, end.created + 1) },
  )
  const reached = parts
    .flatMap((part) => part.reached ?? [])
    .toSorted(newestFirst)
    .at(0)
  // One that was not looked through to its end may have more rows before what the others have found.
  const found = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => !reached || newestFirst(row, reached) <= 0)
    .toSorted(newestFirst)
  const rows = found.filter(({ id }, at) => id !== found[at - 1]?.id)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last ? { created: last.created, id: last.id } : null
  return { rows: page, next: more ?? reached ?? null }
}

/** For sorting: by creation, and by id where two have the same. */
function newestFirst(one: JobPlace, other: JobPlace): number {
  return other.created - one.created || (other.id === one.id ? 0 : other.id > one.id ? 1 : -1)
}

/** How many jobs at an account have no end yet. It reads every row: for what an operator does once in a while. */
export async function countOpenJobsAt(env: Env, account: string): Promise<number> {
  const isOpenThere = and(eq(jobs.account, account), eq(jobs.status, 'PENDING'))
  const counts = await inShards(env, async (database) => [await drizzle(database).$count(jobs, isOpenThere)])
  return counts.reduce((sum, count) => sum + count, 0)
}
