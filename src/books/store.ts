import { type SQL, and, asc, between, eq, getTableColumns, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { fetchedAccounts, payoutLines, payouts } from './schema.ts'
import { type Month, PAID_MONTH, isIn } from './months.ts'
import type { Moved } from './record.ts'

export type PayoutRow = typeof payouts.$inferSelect
type LineRow = typeof payoutLines.$inferSelect

/** Returns SQL that is true for any of these values, however many: D1 takes at most 100 parameters. */
function isAmong(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
}

/** Returns those of these payouts of an account that are whole. */
export async function wholePayouts(
  database: D1Database,
  account: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await drizzle(database)
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.account, account), eq(payouts.isWhole, true), isAmong(payouts.id, ids)))
  return new Set(found.map(({ id }) => id))
}

/** Marks booked payouts that the bank gave back, at a time (ms). */
export async function markReturned(
  database: D1Database,
  account: string,
  ids: readonly string[],
  at: number,
): Promise<void> {
  await drizzle(database)
    .update(payouts)
    .set({ returnedAt: at })
    .where(and(eq(payouts.account, account), isAmong(payouts.id, ids), isNull(payouts.returnedAt)))
}

/** Returns whether every payout of an account that is older than a booked one is booked too. */
export async function isFetched(database: D1Database, account: string): Promise<boolean> {
  return (await drizzle(database).$count(fetchedAccounts, eq(fetchedAccounts.account, account))) > 0
}

/** Stores whether the last fetch reached its end and left out no payout. */
export async function storeFetched(database: D1Database, account: string, isWhole: boolean): Promise<void> {
  const db = drizzle(database)
  if (isWhole) await db.insert(fetchedAccounts).values({ account }).onConflictDoNothing()
  else await db.delete(fetchedAccounts).where(eq(fetchedAccounts.account, account))
}

/**
 * Where a payout is booked: on its own day, or, if the month of that was closed (`corrects`), on the
 * first day of the first open month.
 */
const BOOKED = {
  date: sql<string>`max(date(${payouts.paidAt} / 1000, 'unixepoch'), ${payouts.month} || '-01')`,
  corrects: sql<string | null>`nullif(${PAID_MONTH}, ${payouts.month})`,
}
export type BookedOn = { date: string; corrects: string | null }

export type SummedPayout = PayoutRow &
  BookedOn & { explained: number; fees: number; lines: number; findings: number }

const SUMS = {
  ...getTableColumns(payouts),
  ...BOOKED,
  explained: sql<number>`total(${payoutLines.gross} - ${payoutLines.fee})`,
  fees: sql<number>`total(${payoutLines.fee})`,
  lines: sql<number>`count(${payoutLines.line})`,
  findings: sql<number>`count(${payoutLines.finding})`,
}

/** Returns the whole payouts of a month, or those with an id, oldest first. */
export async function payoutsWith(
  database: D1Database,
  wanted: Month | { id: string },
): Promise<SummedPayout[]> {
  return drizzle(database)
    .select(SUMS)
    .from(payouts)
    .leftJoin(payoutLines, and(eq(payoutLines.account, payouts.account), eq(payoutLines.payout, payouts.id)))
    .where('month' in wanted ? isIn(wanted) : and(eq(payouts.id, wanted.id), eq(payouts.isWhole, true)))
    .groupBy(payouts.account, payouts.id)
    .orderBy(asc(payouts.paidAt), asc(payouts.account), asc(payouts.id))
}

export async function linesOf(
  database: D1Database,
  { account, id }: { account: string; id: string },
  { after, onlyFindings, limit }: { after: number; onlyFindings: boolean; limit: number },
): Promise<LineRow[]> {
  const { line, finding, account: ofAccount, payout } = payoutLines
  return drizzle(database)
    .select()
    .from(payoutLines)
    .where(
      and(
        eq(ofAccount, account),
        eq(payout, id),
        gt(line, after),
        onlyFindings ? isNotNull(finding) : undefined,
      ),
    )
    .orderBy(asc(line))
    .limit(limit)
}

/** Returns the lines of a job in whole payouts, each with its payout. */
export async function linesOfJob(database: D1Database, job: string) {
  const { account, payout, kind, gross, fee } = payoutLines
  return drizzle(database)
    .select({ payout, account, paidAt: payouts.paidAt, currency: payouts.currency, kind, gross, fee })
    .from(payoutLines)
    .innerJoin(payouts, and(eq(payouts.account, account), eq(payouts.id, payout)))
    .where(and(eq(payoutLines.job, job), eq(payouts.isWhole, true)))
    .orderBy(asc(payouts.paidAt), asc(payoutLines.line))
}

/** Sums the lines of each kind and finding in the payouts booked on a day, by account and currency. */
export async function sumsOfMonth(database: D1Database, month: Month) {
  return drizzle(database)
    .select({
      ...BOOKED,
      account: payouts.account,
      currency: payouts.currency,
      kind: payoutLines.kind,
      finding: payoutLines.finding,
      gross: sql<number>`total(${payoutLines.gross})`,
      fee: sql<number>`total(${payoutLines.fee})`,
    })
    .from(payouts)
    .innerJoin(payoutLines, and(eq(payoutLines.account, payouts.account), eq(payoutLines.payout, payouts.id)))
    .where(isIn(month))
    .groupBy(
      BOOKED.date,
      BOOKED.corrects,
      payouts.account,
      payouts.currency,
      payoutLines.kind,
      payoutLines.finding,
    )
}

/** Returns how much of the payments of these jobs is in payouts, by job. */
export async function bookedJobs(
  database: D1Database,
  ids: readonly string[],
): Promise<Map<string, { currency: string; gross: number }>> {
  const found = await drizzle(database)
    .select({
      job: payoutLines.job,
      currency: payouts.currency,
      gross: sql<number>`total(${payoutLines.gross})`,
    })
    .from(payoutLines)
    .innerJoin(payouts, and(eq(payouts.account, payoutLines.account), eq(payouts.id, payoutLines.payout)))
    .where(and(eq(payouts.isWhole, true), isAmong(payoutLines.job, ids), eq(payoutLines.kind, 'payment')))
    .groupBy(payoutLines.job, payouts.currency)
  return new Map(found.map(({ job, ...sum }) => [job ?? '', sum]))
}

/**
 * Follows the id of a payout that comes again: `id~` is its new form while its parts arrive, `id~2`
 * the first correction of a closed month. No PSP uses this character in its ids.
 */
export const AGAIN = '~'

/** The payout of some lines, and the number of the first of them. */
export type LinesOf = { account: string; id: string; currency: string; from: number }

/**
 * Returns the lines of these jobs that were booked before a part, in its currency, by job: those of other payouts,
 * and the earlier lines of the same one.
 */
export async function bookedLines(
  database: D1Database,
  { account, id, currency, from }: LinesOf,
  ids: readonly string[],
): Promise<Map<string | null, Moved[]>> {
  const { job, kind, line, gross } = payoutLines
  // After the sign there are only digits, and a colon is next after them.
  const isSame = or(eq(payouts.id, id), between(payouts.id, `${id}${AGAIN}`, `${id}${AGAIN}:`))
  const found = await drizzle(database)
    .select({ job, kind, gross })
    .from(payoutLines)
    .innerJoin(payouts, and(eq(payouts.account, payoutLines.account), eq(payouts.id, payoutLines.payout)))
    .where(
      and(
        isAmong(job, ids),
        // The plus keeps SQLite from reading all lines of the account.
        sql`+${payouts.account} = ${account}`,
        eq(payouts.currency, currency),
        sql`iif((${isSame}), not ${payouts.isWhole} and ${line} < ${from}, ${payouts.isWhole})`,
      ),
    )
    .orderBy(asc(payouts.paidAt), asc(payouts.id), asc(line))
  return Map.groupBy(found, (one) => one.job)
}
