import { type SQL, and, sql } from 'drizzle-orm'
import { CURRENCIES, decimalsOf } from '../contract/money.ts'
import { FIGURES, type FigureWith } from '../contract/money-figures.ts'
import type { JobPosition } from '../contract/queries.ts'
import type { Micros } from '../contract/timestamp.ts'
import type { Status } from '../contract/values.ts'
import type { JobKey } from '../job/core/row.ts'
import type { Among } from './by-shop.ts'

/** A key to find jobs by. Each but a reference and a part of a name has an index, or is the key of the table. */
export type SearchKey =
  | { is: 'orderNumber' | 'orderId' | 'reference' | 'pos' | 'beginning' | 'part'; text: string }
  | { is: 'job'; job: JobKey }

/**
 * A range to search. `whole`: a range of an index that is in the order of searches, or short enough to
 * sort. If it is null, there is one range for `each` point of sale, or for those in `among`.
 */
export type JobRange = { whole: SQL | null; each: SQL[]; among?: Among | undefined; filter: SQL[] }

/** Returns the ranges that hold the jobs of a search. A job may be in two of them. */
export function rangesOf(search: Pick<Search, 'keys' | 'pos' | 'among' | 'filter'>): JobRange[] {
  const { among } = search
  if (among === undefined) return wholeRangesOf(search)
  const isAmong = sql`pos in (select value from json_each(${JSON.stringify(among)}))`
  return wholeRangesOf(search).map(({ whole, each, filter }) =>
    whole === null ? { whole, each, filter, among } : { whole, each, filter: [...filter, isAmong] },
  )
}

function wholeRangesOf({ keys, pos, filter }: Pick<Search, 'keys' | 'pos' | 'filter'>): JobRange[] {
  const { reservedUntil, ...others } = filter
  if (keys.length === 0 && reservedUntil !== undefined)
    return [rangeOfReserved(pos, reservedUntil, conditionsOf(others))]
  const conditions = conditionsOf(filter)
  if (keys.length === 0) {
    // These jobs have an index, so a search finds all at once.
    return [rangeOf(pos, filter.figures?.includes('unapplied') ? [sql`unapplied > 0`] : [], conditions)]
  }
  return keys.flatMap((key) => {
    if (key.is === 'job') return pos === null || pos === key.job.pos ? [rangeOfOne(key.job, conditions)] : []
    const { is, text } = key
    switch (is) {
      case 'orderNumber':
        return [rangeOf(pos, [sql`order_number = ${text}`], conditions)]
      case 'beginning':
        return [{ whole: beginningWith(text, pos), each: [], filter: conditions }]
      case 'part':
        return [rangeOf(pos, [], [...conditions, sql`instr(lower(${NAMES}), lower(${text})) > 0`])]
      case 'orderId':
        // The index of order ids lacks ids that equal the order number.
        return [
          rangeOf(pos, [sql`order_id = ${text}`, sql`order_id <> order_number`], conditions),
          rangeOf(pos, [sql`order_number = ${text}`], [...conditions, sql`order_id = ${text}`]),
        ]
      case 'reference':
        // No index has references, so this reads all rows, or those of a point of sale and a span.
        return [
          {
            whole: and(sql`reference = ${text}`, pos === null ? undefined : sql`pos = ${pos}`) ?? null,
            each: [],
            filter: conditions,
          },
        ]
      case 'pos':
        return pos === null || pos === text ? [rangeOf(text, [], conditions)] : []
    }
  })
}

function rangeOfOne({ pos, created, id }: JobKey, filter: SQL[]): JobRange {
  return { whole: sql`pos = ${pos} and created = ${created} and id = ${id}`, each: [], filter }
}

/** The most jobs that a search by the beginning of an order number finds: any text may begin many. */
const MOST_BEGINNING = 50

function beginningWith(text: string, pos: string | null): SQL {
  const isOfPos = pos === null ? sql`` : sql`and +pos = ${pos}`
  return sql`(pos, created, id) in (
    select pos, created, id from jobs indexed by jobs_by_order_number
    where order_number >= ${text} and order_number < ${`${text}\u{10ffff}`} ${isOfPos} limit ${MOST_BEGINNING})`
}

/** All names of a job that a caller may have, or have a part of. */
const NAMES = sql`id || ' ' || order_number || ' ' || order_id || ' ' || coalesce(reference, '') || ' ' || coalesce(found_by, '')`

function reservedBefore(time: number): SQL {
  return sql`capture_before < ${time}`
}

/** Few reservations end soon, so all of them are sorted. The plus keeps SQLite off the key of the table. */
function rangeOfReserved(pos: string | null, until: number, filter: SQL[]): JobRange {
  const isOfPos = pos === null ? [] : [sql`+pos = ${pos}`]
  return { whole: and(reservedBefore(until), ...isOfPos) ?? null, each: [], filter }
}

/** `likely` makes SQLite expect many rows of a point of sale, and use the other key. */
function rangeOf(pos: string | null, key: SQL[], filter: SQL[]): JobRange {
  if (pos === null) return { whole: null, each: key, filter }
  const isOfPos = key.length === 0 ? sql`pos = ${pos}` : sql`likely(pos = ${pos})`
  return { whole: and(...key, isOfPos) ?? null, each: [], filter }
}

/** A search for jobs with any of the `keys` (none: all), created in [from, to), that come after `after`. */
export type Search = {
  keys: readonly SearchKey[]
  pos: string | null
  /** The points of sale to search; missing for all. */
  among?: Among | undefined
  filter: JobFilter
  from: Micros
  to: Micros
  after: JobPosition | null
  limit: number
}

/** Conditions that mostly have no index. Amounts are in ten-thousandths, which fit every currency. */
type JobFilter = {
  statuses?: readonly Status[] | undefined
  orderId?: string | undefined
  method?: string | undefined
  account?: string | undefined
  currency?: string | undefined
  amountFrom?: number | undefined
  amountTo?: number | undefined
  isFailing?: boolean | undefined
  /** The job has money in each of these. */
  figures?: readonly FigureWith<'column'>[] | undefined
  /** The job has reserved money whose end is before this time (ms). An index has that end. */
  reservedUntil?: number | undefined
  /** The job has received money. */
  isPaid?: boolean | undefined
  /** Money has moved, and the job has changed since this time (µs). */
  movedSince?: Micros | undefined
}

/** Returns the conditions of a filter. They name columns without a table, so they also fit a subquery. */
export function conditionsOf(filter: JobFilter): SQL[] {
  const { statuses = [] } = filter
  return [
    ...(statuses.length > 0
      ? [sql`status in (select value from json_each(${JSON.stringify(statuses)}))`]
      : []),
    ...ifGiven(filter.orderId, (id) => sql`order_id = ${id}`),
    ...ifGiven(filter.method, (method) => sql`payment_method = ${method}`),
    ...ifGiven(filter.account, (account) => sql`account = ${account}`),
    ...ifGiven(filter.currency, (currency) => sql`currency = ${currency}`),
    ...ifGiven(filter.amountFrom, (least) => sql`${AMOUNT} >= ${least}`),
    ...ifGiven(filter.amountTo, (most) => sql`${AMOUNT} <= ${most}`),
    ...(filter.isFailing ? [sql`failing_since is not null`] : []),
    ...(filter.figures ?? []).map((name) => sql.raw(`${FIGURES[name].column} > 0`)),
    ...ifGiven(filter.reservedUntil, reservedBefore),
    ...(filter.isPaid ? [sql`paid > 0`] : []),
    ...ifGiven(filter.movedSince, (time) => sql`movements is not null and updated >= ${time}`),
  ]
}

function ifGiven<Value>(value: Value | undefined, condition: (value: Value) => SQL): SQL[] {
  return value === undefined ? [] : [condition(value)]
}

/** The few currencies without two decimals, each with the factor to ten-thousandths. */
const ODD = Map.groupBy(CURRENCIES, decimalsOf)
  .entries()
  .filter(([decimals]) => decimals !== 2)
  .map(([decimals, codes]) => `when currency in ('${codes.join(`', '`)}') then ${10 ** (4 - decimals)}`)

const AMOUNT = sql.raw(`amount * (case ${[...ODD].join(' ')} else 100 end)`)
