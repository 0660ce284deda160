import { type SQL, and, sql } from 'drizzle-orm'
import type { JobPosition } from '../contract/queries.ts'
import type { Micros } from '../contract/timestamp.ts'
import type { JobKey } from '../job/core/row.ts'

/** The ids of the points of sale that a search covers. */
export type Among = readonly string[]

/**
 * Returns SQL for the points of sale that have jobs, as `shop(pos)` after `with`. It leaps along the
 * key from one point of sale to the next, by recursion, which Drizzle lacks. `where` narrows the jobs,
 * `first` the start. A list of points of sale (`among`) needs no leaps.
 */
export function shops(where: SQL[] = [], first: SQL[] = [], among?: Among): SQL {
  if (among) {
    const listed = sql`select value as pos from json_each(${JSON.stringify(among.toSorted())})`
    return sql`shop(pos) as (select pos from (${listed}) ${whereAll(first)})`
  }
  return sql`recursive shop(pos) as (
    select min(pos) from jobs ${whereAll([...where, ...first])} union all
    select (select min(pos) from jobs ${whereAll([...where, sql`pos > shop.pos`])})
    from shop where shop.pos is not null)`
}

export function whereAll(conditions: SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql`where ${and(...conditions)}`
}

/** A page of jobs created in [from, to), in the order of the key, after the job `after`. */
type Next = { from: Micros; to: Micros; after: JobKey | null; limit: number }

/**
 * Returns SQL for the keys of the jobs on a page, in order. The cross join keeps the shops as the
 * outer loop. `among` narrows the shops, `wanted` the jobs.
 */
export function nextKeys(
  { from, to, after, limit }: Next,
  { wanted = [], among }: { wanted?: SQL[]; among?: Among | undefined } = {},
): SQL {
  const { pos, created, id } = after ?? { pos: '', created: from, id: '' }
  return sql`with ${shops([], [sql`pos >= ${pos}`], among)}
    select jobs.pos, jobs.created, jobs.id
    from shop cross join jobs on jobs.pos = shop.pos
      and jobs.created >= iif(shop.pos = ${pos}, ${created}, ${from}) and jobs.created < ${to}
    ${whereAll([sql`(jobs.pos, jobs.created, jobs.id) > (${pos}, ${created}, ${id})`, ...wanted])}
    limit ${limit}`
}

/** Compares jobs by key, to merge those of several shards. */
export function byKey(one: JobKey, other: JobKey): number {
  return compare(one.pos, other.pos) || byCreation(one, other)
}

/** Compares jobs by creation, and by id if that is the same. */
export function byCreation(one: JobPosition, other: JobPosition): number {
  return one.created - other.created || compare(one.id, other.id)
}

/** Compares texts of plain characters as SQLite does. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
