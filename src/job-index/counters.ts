import { type AnyColumn, type SQL, getTableColumns, sql } from 'drizzle-orm'
import { jobCounts } from '../registry/schema.ts'

const { hour, pos, account, paymentMethod, currency, purged, ...counters } = getTableColumns(jobCounts)

/** The key of the counters. */
export const KEY = { hour, pos, account, paymentMethod, currency, purged }

/** What is counted of jobs (`job_counts`), by the names of their columns in code. */
export type Counter = keyof typeof counters
export type Counts = Record<Counter, number>

/** Makes something of each counter, in the order of the columns. */
export function eachCounter<Made>(make: (column: AnyColumn, name: Counter) => Made): Record<Counter, Made> {
  // oxlint-disable typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
  const made = Object.entries(counters).map(([name, column]) => [name, make(column, name as Counter)])
  return Object.fromEntries(made) as Record<Counter, Made>
  // oxlint-enable typescript/no-unsafe-type-assertion
}

/** Seconds that bound how long a payment took: `paidIn10` counts up to 10 s, `paidIn20` those that took longer up to 20 s. */
export const BOUNDS = [10, 20, 40, 90, 180, 600, 3600] as const

/** The counters of how long payments took, from the quickest. */
export const TIMES = [...BOUNDS.map((bound) => `paidIn${bound}` as const), 'paidLater'] as const

/** What a row adds to each counter. */
const MEASURES: Record<Counter, SQL> = {
  created: sql`1`,
  success: sql`status = 'SUCCESS'`,
  failure: sql`status = 'FAILURE'`,
  cancelled: sql`status = 'CANCELLED'`,
  expired: sql`status = 'EXPIRED'`,
  paid: sql`iif(status = 'SUCCESS', paid, 0)`,
  paidIn10: paidBetween(-1, 10),
  paidIn20: paidBetween(10, 20),
  paidIn40: paidBetween(20, 40),
  paidIn90: paidBetween(40, 90),
  paidIn180: paidBetween(90, 180),
  paidIn600: paidBetween(180, 600),
  paidIn3600: paidBetween(600, 3600),
  paidLater: paidBetween(3600, Infinity),
}

/** 1 for a payment that succeeded in that time (s), else 0. */
function paidBetween(over: number, upTo: number): SQL {
  return sql`iif(status = 'SUCCESS' and ${isBetween(over * 1000, upTo * 1000)}, 1, 0)`
}

/** Numbers stand in the text: a statement may have 100 parameters. */
function isBetween(over: number, upTo: number): SQL {
  return sql.raw(`paid_after > ${over}${upTo === Infinity ? '' : ` and paid_after <= ${upTo}`}`)
}

/**
 * What the rows of `signed` come to, with the columns of `job_counts` in their order. `signed` has columns of `jobs`, `purged`, and a
 * `sign`: -1 takes a row away.
 */
export const SUMS_OF_SIGNED = sql`select created / 3600000000 as hour, pos, account, payment_method, currency, purged,
    ${list((column, name) => sql`coalesce(sum(sign * (${MEASURES[name]})), 0) as ${sql.identifier(column.name)}`)}
  from signed
  group by created / 3600000000, pos, account, payment_method, currency, purged`

/** Something of each counter, in the order of the columns, with commas between. */
export function list(make: (column: AnyColumn, name: Counter) => SQL): SQL {
  return sql.join(Object.values(eachCounter(make)), sql`, `)
}

/** Whether any counter is not zero, by what is made of it. */
export function anyOf(make: (name: SQL) => SQL): SQL {
  const parts = Object.values(eachCounter((column) => sql`${make(sql`${sql.identifier(column.name)}`)} <> 0`))
  return sql.join(parts, sql` or `)
}
