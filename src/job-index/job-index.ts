import { type SQL, and, asc, between, count, eq, getTableColumns, lt, lte, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { JobKey, JobRow } from '../job/core/row.ts'
import type { PurgeMessage } from '../job/messages.ts'
import { IS_ROW, countPurged, countRemoved, countWritten } from './counters.ts'
import type { Among } from './by-shop.ts'
import { atShards, inShards } from './index-shards.ts'
import { jobs } from './schema.ts'

export async function writeRows(env: Env, rows: readonly JobRow[]): Promise<void> {
  await atShards(env, rows, upsertJobs)
}

/** Replaces wrong rows. A row that was updated since the check stays. */
export async function replaceRows(
  env: Env,
  found: readonly JobRow[],
  rows: readonly JobRow[],
): Promise<void> {
  await atShards(env, found, removeRows)
  await writeRows(env, rows)
}

async function removeRows(database: D1Database, found: readonly JobRow[]): Promise<void> {
  const db = drizzle(database)
  await db.batch([
    countRemoved(db, found),
    ...found.map((row) => db.delete(jobs).where(and(isRow(row), eq(jobs.sequence, row.sequence)))),
  ])
}

/** Writes rows into a shard and counts them, in one transaction. Ignores rows older than the stored ones. */
export async function upsertJobs(database: D1Database, rows: readonly JobRow[]): Promise<void> {
  if (rows.length === 0) return
  const db = drizzle(database)
  await db.batch([countWritten(db, rows), upsert(db, rows)])
}

/** Writes all rows in one statement, as JSON, because a statement may have only 100 parameters. */
function upsert(db: DrizzleD1Database, rows: readonly JobRow[]) {
  const values = Object.keys(COLUMNS).map((name) => sql.raw(`value ->> '${name}'`))
  return db
    .insert(jobs)
    .select(sql`select ${sql.join(values, sql`, `)} from json_each(${JSON.stringify(rows)}) where true`)
    .onConflictDoUpdate({
      target: [jobs.pos, jobs.created, jobs.id],
      set: Object.fromEntries(CHANGING.map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)])),
      setWhere: lt(jobs.sequence, sql`excluded.sequence`),
    })
}

const COLUMNS = getTableColumns(jobs)

/** The columns that never change. Updates leave them out, and so do not touch their indexes. */
const BORN: ReadonlySet<string> = new Set<keyof JobRow>([
  'pos',
  'created',
  'id',
  'paymentMethod',
  'orderId',
  'orderNumber',
  'currency',
  'amount',
  'terminal',
])
const CHANGING = Object.entries(COLUMNS).filter(([name]) => !BORN.has(name))

/** Removes the rows of purged jobs and counts them, in one transaction. Returns the number of rows. */
export async function removeJobs(
  database: D1Database,
  gone: readonly PurgeMessage['forgotten'][],
): Promise<number> {
  const db = drizzle(database)
  const [, ...removed] = await db.batch([
    countPurged(db, gone),
    ...gone.map(({ sequence, ...key }) =>
      db
        .delete(jobs)
        .where(and(isRow(key), sequence === undefined ? undefined : lte(jobs.sequence, sequence)))
        .returning({ id: jobs.id }),
    ),
  ])
  return removed.flat().length
}

function isRow({ pos, created, id }: JobKey): SQL | undefined {
  return and(eq(jobs.pos, pos), eq(jobs.created, created), eq(jobs.id, id))
}

export async function rowsOf(env: Env, keys: readonly JobKey[]): Promise<JobRow[]> {
  return (await atShards(env, keys, rowsAt)).flat()
}

/** Reads rows at one shard. The cross join looks each one up by the key of the table. */
function rowsAt(database: D1Database, keys: readonly JobKey[]): Promise<JobRow[]> {
  return drizzle(database)
    .select(COLUMNS)
    .from(sql`json_each(${JSON.stringify(keys)}) as given`)
    .crossJoin(jobs)
    .where(IS_ROW)
}

/** The paid, or the unpaid, jobs of an order number and amount (minor units): how many, and one of them. */
export type JobsOfOrder = Awaited<ReturnType<typeof jobsOfOrders>>[number]

/** Finds the jobs of these order numbers at an account, in a currency. */
export async function jobsOfOrders(
  env: Env,
  { account, currency }: Pick<JobRow, 'account' | 'currency'>,
  orderNumbers: readonly string[],
) {
  if (orderNumbers.length === 0) return []
  return inShards(env, (database) =>
    drizzle(database)
      .select({
        orderNumber: jobs.orderNumber,
        amount: jobs.amount,
        isPaid: sql<number>`${jobs.paid} > 0`,
        jobs: count(),
        id: sql<string>`min(${jobs.id})`,
        reference: sql<string | null>`min(${jobs.reference})`,
      })
      .from(jobs)
      .where(
        and(
          sql`${jobs.orderNumber} in (select value from json_each(${JSON.stringify(orderNumbers)}))`,
          eq(jobs.account, account),
          eq(jobs.currency, currency),
        ),
      )
      .groupBy(jobs.orderNumber, jobs.amount, sql`${jobs.paid} > 0`),
  )
}

/** The times (ms) of jobs with an index: when a report was given up, and when a reservation ends. */
type IndexedTime = 'givenUpAt' | 'captureBefore'

/** Finds jobs with a time between two instants (ms), earliest first, of the shops in `among` or of all. */
export async function jobsByTime(
  env: Env,
  time: IndexedTime,
  { from, to, limit, among }: { from: number; to: number; limit: number; among?: Among | undefined },
): Promise<JobRow[]> {
  // The plus keeps SQLite off the key of the table, by which it would read all jobs of these shops.
  const isAmong = among && sql`+${jobs.pos} in (select value from json_each(${JSON.stringify(among)}))`
  const found = await inShards(env, (database) =>
    drizzle(database)
      .select()
      .from(jobs)
      .where(and(between(jobs[time], from, to), isAmong))
      .orderBy(asc(jobs[time]))
      .limit(limit),
  )
  return found.toSorted((one, other) => (one[time] ?? 0) - (other[time] ?? 0)).slice(0, limit)
}
