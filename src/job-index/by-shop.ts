import { type SQL, and, sql } from 'drizzle-orm'
import type { Micros } from '../contract/timestamp.ts'
import type { JobKey } from '../job/core/row.ts'

/** The ids of the points of sale that a search is about. */
export type Among = readonly string[]

/**
 * Returns SQL for the points of sale that have jobs, as `shop(pos)` after `with`. Drizzle cannot
 * recurse: this leaps along the key from one point of sale to the next. `where` narrows the jobs,
 * `first` the start. A given list of points of sale (`among`) needs no leaps.
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

/** The next jobs of a time (without `to`), after one of them in the order of the key. */
type Next = { from: Micros; to: Micros; after: JobKey | null; limit: number }

/**
 * Returns SQL for the next jobs' keys, in order. The cross join keeps the shops as the outer loop.
 * `among` narrows the shops, `wanted` the jobs.
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

/** Compares jobs from several shards by the order of the key. */
export function byKey(one: JobKey, other: JobKey): number {
  return compare(one.pos, other.pos) || one.created - other.created || compare(one.id, other.id)
}

/** Compares as SQLite compares texts of plain characters. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
