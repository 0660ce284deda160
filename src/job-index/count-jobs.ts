import type { JobKey, JobRow } from '../job/rules/job-row.ts'
import { COUNTERS, KEY, sumsOf } from './counters.ts'

/**
 * The counters (`job_counts`) are what the rows of a shard come to. So what changes rows changes them in the same transaction, before
 * the rows: it looks at the rows that stand there, and a message that comes twice, late, or in another order changes nothing twice.
 * The changes of a batch are one write for each key, however many rows have it.
 */

/** Counts rows that are to be written: each as it will be, less as it stood. To be followed by the write, in the same batch. */
export function countWritten(database: D1Database, rows: readonly JobRow[]): D1PreparedStatement {
  return database.prepare(WRITTEN).bind(JSON.stringify(newestOf(rows)))
}

/** Counts jobs whose rows are to be removed as purged. Those without a `sequence` go whatever theirs is. */
export function countPurged(
  database: D1Database,
  keys: readonly (JobKey & { sequence?: number })[],
): D1PreparedStatement {
  return database.prepare(PURGED).bind(JSON.stringify(keys))
}

/** Takes rows that are to be removed out of the counters. */
export function countRemoved(database: D1Database, rows: readonly JobRow[]): D1PreparedStatement {
  return database.prepare(REMOVED).bind(JSON.stringify(rows))
}

/** Of rows of the same job only the newest will stand. */
function newestOf(rows: readonly JobRow[]): JobRow[] {
  const newest = new Map<string, JobRow>()
  for (const row of rows) {
    if ((newest.get(row.id)?.sequence ?? -1) < row.sequence) newest.set(row.id, row)
  }
  return [...newest.values()]
}

const IS_ROW = `jobs.pos = given.value ->> 'pos' and jobs.created = given.value ->> 'created' and jobs.id = given.value ->> 'id'`

/** Adds what `signed` comes to. A counter that stays as it is is not written. */
function addTo(signed: string): string {
  return `${signed}
  insert into job_counts (${KEY}, ${COUNTERS.join(', ')})
  select * from (${sumsOf('signed')}) where ${COUNTERS.map((counter) => `${counter} <> 0`).join(' or ')}
  on conflict (${KEY}) do update set
    ${COUNTERS.map((counter) => `${counter} = job_counts.${counter} + excluded.${counter}`).join(', ')}`
}

/** The method and the currency of a row never change (`upsertJobs`). */
const WRITTEN = addTo(`with change as materialized (
    select jobs.sequence as was, given.value ->> 'created' as created, given.value ->> 'pos' as pos,
      coalesce(jobs.payment_method, given.value ->> 'paymentMethod') as payment_method,
      coalesce(jobs.currency, given.value ->> 'currency') as currency,
      jobs.account as old_account, jobs.status as old_status, jobs.paid as old_paid, jobs.paid_after as old_paid_after,
      given.value ->> 'account' as account, given.value ->> 'status' as status, given.value ->> 'paid' as paid,
      given.value ->> 'paidAfter' as paid_after
    from json_each(?1) as given left join jobs on ${IS_ROW}
    where jobs.sequence is null or jobs.sequence < given.value ->> 'sequence'),
  signed as (
    select 1 as sign, 0 as purged, created, pos, account, payment_method, currency, status, paid, paid_after from change
    union all
    select -1, 0, created, pos, old_account, payment_method, currency, old_status, old_paid, old_paid_after
    from change where was is not null)`)

function gone(which: string): string {
  return `with gone as materialized (
    select distinct jobs.created, jobs.pos, jobs.account, jobs.payment_method, jobs.currency, jobs.status, jobs.paid,
      jobs.paid_after, jobs.id
    from json_each(?1) as given cross join jobs on ${IS_ROW} where ${which})`
}

const PURGED = addTo(`${gone(`jobs.sequence <= coalesce(given.value ->> 'sequence', jobs.sequence)`)},
  signed as (select -1 as sign, 0 as purged, gone.* from gone union all select 1, 1, gone.* from gone)`)

const REMOVED = addTo(`${gone(`jobs.sequence = given.value ->> 'sequence'`)},
  signed as (select -1 as sign, 0 as purged, gone.* from gone)`)
