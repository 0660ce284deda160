import { and, asc, eq, getTableColumns, gt, isNotNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { LineKind, Payout } from '../psp/payouts.ts'
import { closedMonths, payoutLines, payouts } from '../registry/schema.ts'
import type { MatchedLine } from './match-lines.ts'
import { openMonthFrom } from './matching.ts'

export type PayoutRow = typeof payouts.$inferSelect
export type LineRow = typeof payoutLines.$inferSelect
export type ClosedMonth = typeof closedMonths.$inferSelect

/** A part of a payout: its lines from a number on, of so many; null while that is not known. */
export type Part = Payout & { account: string; from: number; total: number | null; lines: MatchedLine[] }

/**
 * Writes a part of a payout, all or nothing. What is there stays: the same part again changes
 * nothing. The payout counts (`isWhole`) once all its lines are there. `other`: a payout of this id
 * was booked with another amount.
 */
export async function storePart(database: D1Database, part: Part): Promise<'whole' | 'partial' | 'other'> {
  const db = drizzle(database)
  const { account, id, currency, amount, paidAt, from, total } = part
  const closed = await db.select({ month: closedMonths.month }).from(closedMonths)
  const month = openMonthFrom(monthOf(paidAt), new Set(closed.map((one) => one.month)))
  const rows = part.lines.map((line, at) => ({ account, payout: id, line: from + at, ...line }))
  const isThis = and(eq(payouts.account, account), eq(payouts.id, id))
  const count = sql`(select count(*) from payout_lines where account = ${account} and payout = ${id})`
  const columns = LINE_COLUMNS.map((name) => sql.raw(`value ->> '${name}'`))
  const [, , , [row]] = await db.batch([
    db
      .insert(payouts)
      .values({ account, id, currency, amount, paidAt, month, isWhole: false })
      .onConflictDoNothing(),
    db
      .insert(payoutLines)
      .select(sql`select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)}) where true`)
      .onConflictDoNothing(),
    db
      .update(payouts)
      .set({ isWhole: true })
      .where(and(isThis, sql`${total ?? -1} = ${count}`)),
    db.select().from(payouts).where(isThis),
  ])
  if (!row || row.currency !== currency || row.amount !== amount) return 'other'
  return row.isWhole ? 'whole' : 'partial'
}

const LINE_COLUMNS = Object.keys(getTableColumns(payoutLines))

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7)
}

/** Those of some payouts of an account that are whole. */
export async function wholePayouts(
  database: D1Database,
  account: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await drizzle(database)
    .select({ id: payouts.id })
    .from(payouts)
    .where(
      and(
        eq(payouts.account, account),
        eq(payouts.isWhole, true),
        sql`${payouts.id} in (select value from json_each(${JSON.stringify(ids)}))`,
      ),
    )
  return new Set(found.map(({ id }) => id))
}

/** A payout with what its lines come to. */
export type SummedPayout = PayoutRow & { explained: number; fees: number; lines: number; findings: number }

const SUMS = {
  ...getTableColumns(payouts),
  explained: sql<number>`coalesce(sum(${payoutLines.gross} - ${payoutLines.fee}), 0)`,
  fees: sql<number>`coalesce(sum(${payoutLines.fee}), 0)`,
  lines: sql<number>`count(${payoutLines.line})`,
  findings: sql<number>`count(${payoutLines.finding})`,
}

/** The whole payouts that are booked in a month, or those of an id, oldest first. */
export async function payoutsWith(
  database: D1Database,
  wanted: { month: string } | { id: string },
): Promise<SummedPayout[]> {
  const which = 'month' in wanted ? eq(payouts.month, wanted.month) : eq(payouts.id, wanted.id)
  return drizzle(database)
    .select(SUMS)
    .from(payouts)
    .leftJoin(payoutLines, and(eq(payoutLines.account, payouts.account), eq(payoutLines.payout, payouts.id)))
    .where(and(which, eq(payouts.isWhole, true)))
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

/** The lines of one job in payouts that are whole, with their payouts. */
export async function linesOfJob(database: D1Database, job: string) {
  const { account, payout, kind, gross, fee } = payoutLines
  return drizzle(database)
    .select({ payout, account, paidAt: payouts.paidAt, currency: payouts.currency, kind, gross, fee })
    .from(payoutLines)
    .innerJoin(payouts, and(eq(payouts.account, account), eq(payouts.id, payout)))
    .where(and(eq(payoutLines.job, job), eq(payouts.isWhole, true)))
    .orderBy(asc(payouts.paidAt), asc(payoutLines.line))
}

/** What lines of a kind come to, of all payouts of a day, an account and a currency. */
export type KindSum = {
  date: string
  account: string
  currency: string
  kind: LineKind
  gross: number
  fee: number
}

export async function sumsOfMonth(database: D1Database, month: string): Promise<KindSum[]> {
  const date = sql<string>`date(${payouts.paidAt} / 1000, 'unixepoch')`
  return drizzle(database)
    .select({
      date,
      account: payouts.account,
      currency: payouts.currency,
      kind: payoutLines.kind,
      gross: sql<number>`sum(${payoutLines.gross})`,
      fee: sql<number>`sum(${payoutLines.fee})`,
    })
    .from(payouts)
    .innerJoin(payoutLines, and(eq(payoutLines.account, payouts.account), eq(payoutLines.payout, payouts.id)))
    .where(and(eq(payouts.month, month), eq(payouts.isWhole, true)))
    .groupBy(date, payouts.account, payouts.currency, payoutLines.kind)
}

export async function closedMonth(database: D1Database, month: string): Promise<ClosedMonth | null> {
  const [found] = await drizzle(database).select().from(closedMonths).where(eq(closedMonths.month, month))
  return found ?? null
}

/** Closes a month, whose first closing stays. */
export async function storeClosing(database: D1Database, closing: ClosedMonth): Promise<void> {
  await drizzle(database).insert(closedMonths).values(closing).onConflictDoNothing()
}

/** Those of some jobs whose payment is in a payout. */
export async function bookedJobs(database: D1Database, ids: readonly string[]): Promise<Set<string>> {
  const found = await drizzle(database)
    .selectDistinct({ job: payoutLines.job })
    .from(payoutLines)
    .where(
      and(
        sql`${payoutLines.job} in (select value from json_each(${JSON.stringify(ids)}))`,
        eq(payoutLines.kind, 'payment'),
      ),
    )
  return new Set(found.flatMap(({ job }) => job ?? []))
}

/** The accounts that have paid out. */
export async function payingAccounts(database: D1Database): Promise<string[]> {
  const found = await drizzle(database).selectDistinct({ account: payouts.account }).from(payouts)
  return found.map(({ account }) => account)
}
