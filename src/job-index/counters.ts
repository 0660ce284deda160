import { type AnyColumn, type SQL, getTableColumns, sql, and, eq, gte, lt, ne } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { RegistryRow } from '../contract/backup.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { recordOf } from '../contract/record-of.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'
import { Integer } from '../contract/values.ts'
import * as v from 'valibot'
import type { JobKey, JobRow } from '../job/core/row.ts'
import { insertMissing } from '../registry/insert-missing.ts'
import { jobCounts } from './schema.ts'
import { type Span, atShards, inShards } from './index-shards.ts'

const { hour, pos, account, paymentMethod, currency, purged, ...counters } = getTableColumns(jobCounts)

export const KEY = { hour, pos, account, paymentMethod, currency, purged }

export type Counter = keyof typeof counters
type Counts = Record<Counter, number>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
const NAMES = Object.keys(counters) as Counter[]

function eachCounter<Made>(make: (column: AnyColumn, name: Counter) => Made): Record<Counter, Made> {
  return recordOf(NAMES, (name) => make(counters[name], name))
}

/** The bounds (s) of the time that a payment took: `paidIn20` counts those over 10 s and up to 20 s. */
export const BOUNDS = [10, 20, 40, 90, 180, 600, 3600] as const

export const TIMES = [...BOUNDS.map((bound) => `paidIn${bound}` as const), 'paidLater'] as const

const MEASURES: Record<Counter, SQL> = {
  created: sql`1`,
  success: sql`status = 'SUCCESS'`,
  failure: sql`status = 'FAILURE'`,
  cancelled: sql`status = 'CANCELLED'`,
  expired: sql`status = 'EXPIRED'`,
  paid: sql`paid`,
  ...recordOf(figuresWith('isBack'), (name) => sql.raw(FIGURES[name].column)),
  paidIn10: paidBetween(-1, 10),
  paidIn20: paidBetween(10, 20),
  paidIn40: paidBetween(20, 40),
  paidIn90: paidBetween(40, 90),
  paidIn180: paidBetween(90, 180),
  paidIn600: paidBetween(180, 600),
  paidIn3600: paidBetween(600, 3600),
  paidLater: paidBetween(3600, Infinity),
}

/**
 * Returns SQL that is 1 for a payment that succeeded within these bounds (s), otherwise 0. The numbers
 * are part of the text, because a statement may have only 100 parameters.
 */
function paidBetween(over: number, upTo: number): SQL {
  const bound = upTo === Infinity ? '' : ` and paid_after <= ${upTo * 1000}`
  return sql.raw(`iif(status = 'SUCCESS' and paid_after > ${over * 1000}${bound}, 1, 0)`)
}

/** The columns of `jobs` that the counters read and that may change, by their names in a row. */
const CHANGING = {
  account: 'account',
  status: 'status',
  paid: 'paid',
  paidAfter: 'paid_after',
  ...recordOf(figuresWith('isBack'), (name) => FIGURES[name].column),
}

/** Lists these columns as SQL. */
function changing(write = (column: string, _name: string) => column): SQL {
  const columns = Object.entries(CHANGING).map(([name, column]) => write(column, name))
  return sql.raw(columns.join(', '))
}

/** The sums of the rows in `signed`: columns of `jobs`, `purged`, and a `sign` (1, -1). */
export const SUMS_OF_SIGNED = sql`select created / 3600000000 as hour, pos, account, payment_method, currency, purged,
    ${list((column, name) => sql`coalesce(sum(sign * (${MEASURES[name]})), 0) as ${sql.identifier(column.name)}`)}
  from signed
  group by created / 3600000000, pos, account, payment_method, currency, purged`

export function list(make: (column: AnyColumn, name: Counter) => SQL): SQL {
  return sql.join(Object.values(eachCounter(make)), sql`, `)
}

/** Returns SQL that is true if `make` is not zero for any counter. */
export function anyOf(make: (name: SQL) => SQL): SQL {
  const parts = Object.values(eachCounter((column) => sql`${make(sql`${sql.identifier(column.name)}`)} <> 0`))
  return sql.join(parts, sql` or `)
}

/**
 * The counters equal the sums of a shard's rows. A change of rows first changes the counters in the
 * same transaction, by comparison with the stored rows. A message that comes twice, late or out of
 * order therefore counts once. A batch writes each counter once, however many rows it has.
 */

/** Counts rows before the same batch writes them: adds each new row, and subtracts the one it replaces. */
export function countWritten(db: DrizzleD1Database, rows: readonly JobRow[]) {
  return addTo(db, written(JSON.stringify(newestOf(rows))))
}

/** Counts jobs as purged before their rows go. Without a `sequence`, the row may have any. */
export function countPurged(db: DrizzleD1Database, keys: readonly (JobKey & { sequence?: number })[]) {
  const which = sql`jobs.sequence <= coalesce(given.value ->> 'sequence', jobs.sequence)`
  return addTo(
    db,
    sql`${gone(JSON.stringify(keys), which)},
    signed as (select -1 as sign, 0 as purged, gone.* from gone union all select 1, 1, gone.* from gone)`,
  )
}

/** Subtracts rows from the counters before the rows are removed. */
export function countRemoved(db: DrizzleD1Database, rows: readonly JobRow[]) {
  const found = gone(JSON.stringify(rows), sql`jobs.sequence = given.value ->> 'sequence'`)
  return addTo(db, sql`${found}, signed as (select -1 as sign, 0 as purged, gone.* from gone)`)
}

function newestOf(rows: readonly JobRow[]): JobRow[] {
  const newest = new Map<string, JobRow>()
  for (const row of rows) {
    if ((newest.get(row.id)?.sequence ?? -1) < row.sequence) newest.set(row.id, row)
  }
  return [...newest.values()]
}

/** Adds the sums of `signed` to the counters. Does not write counters that stay the same. */
function addTo(db: DrizzleD1Database, signed: SQL) {
  return db
    .insert(jobCounts)
    .select(sql`${signed} select * from (${SUMS_OF_SIGNED}) where ${anyOf((counter) => counter)}`)
    .onConflictDoUpdate({
      target: Object.values(KEY),
      set: eachCounter((column) => sql`${column} + excluded.${sql.identifier(column.name)}`),
    })
}

/** Joins `jobs` with the keys in a JSON list, `given`. */
export const IS_ROW = sql`jobs.pos = given.value ->> 'pos' and jobs.created = given.value ->> 'created'
  and jobs.id = given.value ->> 'id'`

/** Compares new rows with the stored ones in one statement. Method and currency never change. */
function written(rows: string): SQL {
  return sql`with change as materialized (
    select jobs.sequence as was, given.value ->> 'created' as created, given.value ->> 'pos' as pos,
      coalesce(jobs.payment_method, given.value ->> 'paymentMethod') as payment_method,
      coalesce(jobs.currency, given.value ->> 'currency') as currency,
      ${changing((column) => `jobs.${column} as old_${column}`)},
      ${changing((column, name) => `given.value ->> '${name}' as ${column}`)}
    from json_each(${rows}) as given left join jobs on ${IS_ROW}
    where jobs.sequence is null or jobs.sequence < given.value ->> 'sequence'),
  signed as (
    select 1 as sign, 0 as purged, created, pos, payment_method, currency, ${changing()} from change
    union all
    select -1, 0, created, pos, payment_method, currency, ${changing((column) => `old_${column}`)}
    from change where was is not null)`
}

/** Returns SQL for the rows to remove. The cross join looks each one up by the key of the table. */
function gone(keys: string, which: SQL): SQL {
  return sql`with gone as materialized (
    select distinct jobs.* from json_each(${keys}) as given cross join jobs on ${IS_ROW} where ${which})`
}

/** Counters of payments that share a `key` and a currency. */
export type CountRow = { key: string; currency: string; counts: Counts }

/** The hours [from, to) since 1970. */
export type Hours = { from: number; to: number }

/** Returns the hours of a day (`2026-01-31`). */
export function hoursOf(day: string): Hours {
  const from = Date.parse(`${day}T00:00:00Z`)
  return { from: from / HOUR, to: (from + DAY) / HOUR }
}

export function spanOf({ from, to }: Hours): Span {
  return { from: from * HOUR * 1000, to: to * HOUR * 1000 }
}

/** Selects the counters of some hours: those of purged jobs, or those of the others. */
export function countersOf({ from, to }: Hours, isPurged: boolean): SQL | undefined {
  return and(gte(hour, from), lt(hour, to), eq(purged, isPurged))
}

const KEYS = { hour, account, method: paymentMethod, pos, currency }

/** The payments to count, by the hours in which they were created. */
type CountQuery = Hours & {
  by: keyof typeof KEYS
  pos: readonly string[]
  account: string | undefined
  method: string | undefined
}

const SUMS = eachCounter((column) => sql<number>`sum(${column})`)

/** Sums the counters of these hours over all shards. Reads no jobs. */
export function countedJobs(env: Env, { by, ...wanted }: CountQuery): Promise<CountRow[]> {
  return inShards(
    env,
    async (database) => {
      const found = await drizzle(database)
        .select({ key: sql<string>`cast(${KEYS[by]} as text)`, currency, ...SUMS })
        .from(jobCounts)
        .where(
          and(
            gte(hour, wanted.from),
            lt(hour, wanted.to),
            // As JSON, because there may be more points of sale than a statement may have parameters.
            sql`${pos} in (select value from json_each(${JSON.stringify(wanted.pos)}))`,
            wanted.account === undefined ? undefined : eq(account, wanted.account),
            wanted.method === undefined ? undefined : eq(paymentMethod, wanted.method),
          ),
        )
        .groupBy(KEYS[by], currency)
        .having(ne(SUMS.created, 0))
        .orderBy(KEYS[by])
      return found.map(({ key, currency: code, ...counts }) => ({ key, currency: code, counts }))
    },
    spanOf(wanted),
  )
}

type Row = RegistryRow['row']

/** Reads the counters of purged jobs of a day (`2026-01-31`), which no longer have rows. */
export async function purgedCounts(env: Env, day: string): Promise<Row[]> {
  const hours = hoursOf(day)
  const query = sql`select * from ${jobCounts} where ${countersOf(hours, true)}`
  return inShards(env, (database) => drizzle(database).all<Row>(query), spanOf(hours))
}

/** Returns whether a row has counters of purged jobs of a day. */
export function isPurgedCount(row: Row, day: string): boolean {
  const texts = new Set([pos, account, paymentMethod, currency].map(({ name }) => name))
  const names = Object.values(getTableColumns(jobCounts)).map(({ name }) => name)
  const age = Number(row['hour']) * HOUR - Date.parse(day)
  return (
    Object.keys(row).every((name) => names.includes(name)) &&
    names.every((name) => (texts.has(name) ? typeof row[name] === 'string' : v.is(Integer, row[name]))) &&
    row['purged'] === 1 &&
    age >= 0 &&
    age < DAY
  )
}

/** Writes missing counters. Existing ones stay, because they may have counted on. */
export async function restorePurgedCounts(env: Env, rows: readonly Row[]): Promise<void> {
  const placed = rows.map((row) => ({ created: Number(row['hour']) * HOUR * 1000, row }))
  await atShards(env, placed, (database, there) => {
    const own = there.map(({ row }) => row)
    return insertMissing(database, jobCounts, own)
  })
}
