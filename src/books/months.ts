import { type SQL, and, asc, eq, gt, gte, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { closedMonths, payoutLines, payouts } from './schema.ts'

type Closing = typeof closedMonths.$inferSelect
export type Month = Pick<Closing, 'mode' | 'month'>

/** The month (UTC) in which a payout was paid. */
export const PAID_MONTH = sql<string>`strftime('%Y-%m', ${payouts.paidAt} / 1000, 'unixepoch')`

/** Returns SQL that is true for a payout whose month is closed. */
export function isSealed(db: DrizzleD1Database): SQL<number> {
  const closed = db
    .select({ month: closedMonths.month })
    .from(closedMonths)
    .where(eq(closedMonths.mode, payouts.mode))
  return sql`${payouts.month} in ${closed}`
}

/**
 * Returns SQL for the month `first`, or the first later one that is open in the mode of the payout.
 * Drizzle has no recursive queries.
 */
export function openMonthFrom(first: SQL | string): SQL {
  return sql`(with recursive next(month) as (
    select ${first} union all
    select strftime('%Y-%m', next.month || '-01', '+1 month') from next
    where next.month in (select closed_months.month from closed_months where closed_months.mode = ${payouts.mode}))
    select max(next.month) from next)`
}

/** Returns the closing of a month, and the latest closed month after it. */
export async function closingOf(database: D1Database, { mode, month }: Month) {
  const found = await drizzle(database)
    .select()
    .from(closedMonths)
    .where(and(eq(closedMonths.mode, mode), gte(closedMonths.month, month)))
    .orderBy(asc(closedMonths.month))
  const closed = found.find((one) => one.month === month) ?? null
  return { closed, laterClosed: found.findLast((one) => one !== closed)?.month ?? null }
}

/**
 * Returns the payouts of a month that are not fully explained. `state` changes with the amount of a
 * payout, its lines and its findings.
 */
export function unexplainedIn(database: D1Database, month: Month) {
  const explained = sql`coalesce(sum(${payoutLines.gross} - ${payoutLines.fee}), 0)`
  const findings = sql`count(${payoutLines.finding})`
  const parts = sql.join([payouts.account, payouts.id, payouts.amount, explained, findings], sql` || ' ' || `)
  return drizzle(database)
    .select({ id: payouts.id, state: sql<string>`${parts}`.as('state') })
    .from(payouts)
    .leftJoin(payoutLines, and(eq(payoutLines.account, payouts.account), eq(payoutLines.payout, payouts.id)))
    .where(isIn(month))
    .groupBy(payouts.account, payouts.id)
    .having(sql`${payouts.amount} <> ${explained} or ${findings} > 0`)
    .orderBy(asc(payouts.paidAt), asc(payouts.id))
}

/** Returns SQL that is true for a whole payout that is booked in a month. */
export function isIn({ mode, month }: Month): SQL | undefined {
  return and(eq(payouts.mode, mode), eq(payouts.month, month), eq(payouts.isWhole, true))
}

/**
 * Closes a month, unless one of its unexplained payouts has a state that is not among the `known`
 * ones. A second closing changes nothing.
 */
export async function storeClosing(
  database: D1Database,
  { month, closedAt, closedBy, note, mode }: Closing,
  known: readonly { state: string }[],
): Promise<void> {
  const states = JSON.stringify(known.map(({ state }) => state))
  await drizzle(database)
    .insert(closedMonths)
    .select(
      sql`select ${month}, ${closedAt}, ${closedBy}, ${note}, ${mode} where not exists (
        select 1 from ${unexplainedIn(database, { mode, month })} as found
        where found.state not in (select value from json_each(${states})))`,
    )
    .onConflictDoNothing()
}

/**
 * Undoes a closing, unless a later month is closed. Whatever was booked later because of it moves to
 * where it would be without it: a payout to its own month, a correction to the month it corrects.
 */
export async function removeClosing(database: D1Database, { mode, month }: Month): Promise<void> {
  const db = drizzle(database)
  const isLast = sql`not exists (select 1 from closed_months as later where later.mode = ${mode} and later.month > ${month})`
  const isLater = and(eq(payouts.mode, mode), gt(payouts.month, month))
  await db.batch([
    db.delete(closedMonths).where(and(eq(closedMonths.mode, mode), eq(closedMonths.month, month), isLast)),
    db
      .update(payouts)
      .set({ month: openMonthFrom(PAID_MONTH) })
      .where(and(isLater, isLast)),
  ])
}
