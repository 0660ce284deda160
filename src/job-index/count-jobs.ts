import { type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { JobKey, JobRow } from '../job/rules/job-row.ts'
import { jobCounts } from '../registry/schema.ts'
import { KEY, SUMS_OF_SIGNED, anyOf, eachCounter } from './counters.ts'

/**
 * The counters (`job_counts`) are what the rows of a shard come to. So what changes rows changes them in the same transaction, before
 * the rows: it looks at the rows that stand there, and a message that comes twice, late, or in another order changes nothing twice.
 * The changes of a batch are one write for each key, however many rows have it.
 */

/** Counts rows that are to be written: each as it will be, less as it stood. To be followed by the write, in the same batch. */
export function countWritten(db: DrizzleD1Database, rows: readonly JobRow[]) {
  return addTo(db, written(JSON.stringify(newestOf(rows))))
}

/** Counts jobs whose rows are to be removed as purged. Those without a `sequence` go whatever theirs is. */
export function countPurged(db: DrizzleD1Database, keys: readonly (JobKey & { sequence?: number })[]) {
  const which = sql`jobs.sequence <= coalesce(given.value ->> 'sequence', jobs.sequence)`
  return addTo(
    db,
    sql`${gone(JSON.stringify(keys), which)},
    signed as (select -1 as sign, 0 as purged, gone.* from gone union all select 1, 1, gone.* from gone)`,
  )
}

/** Takes rows that are to be removed out of the counters. */
export function countRemoved(db: DrizzleD1Database, rows: readonly JobRow[]) {
  const found = gone(JSON.stringify(rows), sql`jobs.sequence = given.value ->> 'sequence'`)
  return addTo(db, sql`${found}, signed as (select -1 as sign, 0 as purged, gone.* from gone)`)
}

/** Of rows of the same job only the newest will stand. */
function newestOf(rows: readonly JobRow[]): JobRow[] {
  const newest = new Map<string, JobRow>()
  for (const row of rows) {
    if ((newest.get(row.id)?.sequence ?? -1) < row.sequence) newest.set(row.id, row)
  }
  return [...newest.values()]
}

/** Adds what `signed` comes to. A counter that stays as it is is not written. */
function addTo(db: DrizzleD1Database, signed: SQL) {
  return db
    .insert(jobCounts)
    .select(sql`${signed} select * from (${SUMS_OF_SIGNED}) where ${anyOf((counter) => counter)}`)
    .onConflictDoUpdate({
      target: Object.values(KEY),
      set: eachCounter((column) => sql`${column} + excluded.${sql.identifier(column.name)}`),
    })
}

const IS_ROW = sql`jobs.pos = given.value ->> 'pos' and jobs.created = given.value ->> 'created' and jobs.id = given.value ->> 'id'`

/**
 * SQL, because a row is compared with what stands there within the one statement that counts it. The method and the currency of a row
 * never change (`upsertJobs`).
 */
function written(rows: string): SQL {
  return sql`with change as materialized (
    select jobs.sequence as was, given.value ->> 'created' as created, given.value ->> 'pos' as pos,
      coalesce(jobs.payment_method, given.value ->> 'paymentMethod') as payment_method,
      coalesce(jobs.currency, given.value ->> 'currency') as currency,
      jobs.account as old_account, jobs.status as old_status, jobs.paid as old_paid, jobs.paid_after as old_paid_after,
      given.value ->> 'account' as account, given.value ->> 'status' as status, given.value ->> 'paid' as paid,
      given.value ->> 'paidAfter' as paid_after
    from json_each(${rows}) as given left join jobs on ${IS_ROW}
    where jobs.sequence is null or jobs.sequence < given.value ->> 'sequence'),
  signed as (
    select 1 as sign, 0 as purged, created, pos, account, payment_method, currency, status, paid, paid_after from change
    union all
    select -1, 0, created, pos, old_account, payment_method, currency, old_status, old_paid, old_paid_after
    from change where was is not null)`
}

/** SQL, because the cross join keeps the given keys as the outer loop: each is one look-up by the key of the table. */
function gone(keys: string, which: SQL): SQL {
  return sql`with gone as materialized (
    select distinct jobs.created, jobs.pos, jobs.account, jobs.payment_method, jobs.currency, jobs.status, jobs.paid,
      jobs.paid_after, jobs.id
    from json_each(${keys}) as given cross join jobs on ${IS_ROW} where ${which})`
}
