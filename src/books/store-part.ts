import { type SQL, and, between, eq, exists, getTableColumns, inArray, not, or, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import type { Mode } from '../contract/values.ts'
import type { Payout } from '../psp/payouts/payouts.ts'
import { unlistedMode } from '../registry/profile.ts'
import { payoutLines, payouts } from './schema.ts'
import { pspAccounts } from '../registry/schema.ts'
import type { MatchedLine } from './match-lines.ts'
import { isSealed, openMonthFrom } from './months.ts'
import { AGAIN, type PayoutRow } from './store.ts'

/** A part of a payout: its lines from number `from` on, of `total`; null while the total is unknown. */
type Part = Payout & { account: string; from: number; total: number | null; lines: MatchedLine[] }

/**
 * Writes the lines of a part, all or none. A part with line 1 begins the payout again. The payout
 * counts (`isWhole`) once all its lines are there. A payout that is booked already first arrives next
 * to the booked one. Once whole, it replaces that one and its corrections; but if that one's month is
 * closed, the difference becomes a correction in the first open month. Returns `other` if the payout
 * is booked in another currency, or if the part belongs to no payout that was begun.
 */
export async function storePart(database: D1Database, part: Part): Promise<'whole' | 'partial' | 'other'> {
  const { account, id, currency, amount, paidAt, from, total, lines } = part
  const db = drizzle(database)
  const booked = await bookedOne(db, account, id)
  if (booked && booked.currency !== currency) return 'other'
  const form = { account, id: booked ? `${id}${AGAIN}` : id }
  if (from === 1) {
    const [month, mode] = [monthOf(paidAt), modeOf(account)]
    await begin(db, { ...form, currency, amount, paidAt, month, isWhole: false, mode })
  }
  // Only the last part may finish the payout, because each count reads all its lines.
  const isLast = total !== null && from + lines.length > total
  const finishing = isLast ? [finish(db, form, total, paidAt, booked), ...settle(db, booked, form)] : []
  await db.batch([add(db, form, part), ...finishing])
  const [found] = await db.select().from(payouts).where(isPayout(form))
  if (!found) return booked ? 'whole' : 'other'
  if (found.currency !== currency || found.amount !== amount) return 'other'
  return found.isWhole ? 'whole' : 'partial'
}

type Key = Pick<PayoutRow, 'account' | 'id'>
type Booking = PayoutRow & { isClosed: number }

function isPayout({ account, id }: Key): SQL | undefined {
  return and(eq(payouts.account, account), eq(payouts.id, id))
}

function isLineOf({ account, id }: Key): SQL | undefined {
  return and(eq(payoutLines.account, account), eq(payoutLines.payout, id))
}

function isComing(form: Key): SQL | undefined {
  return and(isPayout(form), eq(payouts.isWhole, false))
}

function isThere(form: Key): SQL | undefined {
  return and(isPayout(form), eq(payouts.isWhole, true))
}

/** Returns a query for payouts, for use in `exists`. */
function payoutWhere(db: DrizzleD1Database, condition: SQL | undefined) {
  return db.select({ id: payouts.id }).from(payouts).where(condition)
}

async function bookedOne(db: DrizzleD1Database, account: string, id: string): Promise<Booking | undefined> {
  const [found] = await db
    .select({ ...getTableColumns(payouts), isClosed: isSealed(db) })
    .from(payouts)
    .where(isThere({ account, id }))
  return found
}

/** Returns SQL that is true for a booked payout and its corrections. */
function isOfId({ account, id }: Key): SQL | undefined {
  const isIt = or(eq(payouts.id, id), between(payouts.id, `${id}${AGAIN}0`, `${id}${AGAIN}:`))
  return and(eq(payouts.account, account), isIt, eq(payouts.isWhole, true))
}

/** Returns SQL for the mode of an account. A payout keeps its mode when the account is removed. */
function modeOf(account: string): SQL<Mode> {
  return sql`coalesce((select ${pspAccounts.mode} from ${pspAccounts} where ${pspAccounts.id} = ${account}), ${unlistedMode(account)})`
}

/** Begins a payout, and removes the lines of an import that was cut off. */
async function begin(
  db: DrizzleD1Database,
  payout: Omit<PayoutRow, 'mode' | 'returnedAt'> & { mode: SQL },
): Promise<void> {
  await db.batch([
    db.delete(payoutLines).where(and(isLineOf(payout), exists(payoutWhere(db, isComing(payout))))),
    db.delete(payouts).where(isComing(payout)),
    db.insert(payouts).values(payout).onConflictDoNothing(),
  ])
}

const LINE_COLUMNS = Object.keys(getTableColumns(payoutLines))

/** Adds the lines of a part to its payout, if that was begun with the same amount and currency. */
function add(db: DrizzleD1Database, form: Key, { from, lines, amount, currency }: Part) {
  const rows = lines.map((line, at) => ({ account: form.account, payout: form.id, line: from + at, ...line }))
  const columns = LINE_COLUMNS.map((name) => sql.raw(`value ->> '${name}'`))
  const begun = and(isComing(form), eq(payouts.amount, amount), eq(payouts.currency, currency))
  return db
    .insert(payoutLines)
    .select(
      sql`select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)})
        where ${exists(payoutWhere(db, begun))}`,
    )
    .onConflictDoNothing()
}

/** Makes a payout with all its lines whole, unless the month of the booked one was closed meanwhile. */
function finish(
  db: DrizzleD1Database,
  form: Key,
  total: number,
  paidAt: number,
  booked: Booking | undefined,
) {
  const stays =
    booked && !booked.isClosed ? exists(payoutWhere(db, and(isThere(booked), not(isSealed(db))))) : undefined
  const hasAll = eq(db.$count(payoutLines, isLineOf(form)), total)
  return db
    .update(payouts)
    .set({ isWhole: true, month: openMonthFrom(monthOf(booked?.paidAt ?? paidAt)) })
    .where(and(isComing(form), stays, hasAll))
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7)
}

/** Replaces the booked payout with its new form, or corrects it in the open month if its own is closed. */
function settle(db: DrizzleD1Database, booked: Booking | undefined, form: Key): BatchItem<'sqlite'>[] {
  if (!booked) return []
  return booked.isClosed ? correct(db, booked, form) : replace(db, booked, form)
}

function replace(db: DrizzleD1Database, booked: Booking, form: Key): BatchItem<'sqlite'>[] {
  const there = exists(payoutWhere(db, isThere(form)))
  const isBooked = inArray(payoutLines.payout, payoutWhere(db, isOfId(booked)))
  return [
    db.delete(payoutLines).where(and(eq(payoutLines.account, form.account), isBooked, there)),
    db.delete(payouts).where(and(isOfId(booked), there)),
    db
      .update(payoutLines)
      .set({ payout: booked.id })
      .where(and(isLineOf(form), there)),
    db.update(payouts).set({ id: booked.id }).where(isThere(form)),
  ]
}

/**
 * Books the difference between the new form and the booked payout with its corrections: one line for
 * each payment and kind that changed. Books nothing if nothing changed.
 */
function correct(db: DrizzleD1Database, { account, id, paidAt }: Booking, form: Key): BatchItem<'sqlite'>[] {
  const isBooked = isOfId({ account, id })
  const booked = payoutWhere(db, isBooked)
  const there = exists(payoutWhere(db, isThere(form)))
  const correction = sql`(select ${`${id}${AGAIN}`} || (count(*) + 1) from ${payouts} where ${isBooked})`
  const before = sql`(select total(${payouts.amount}) from ${payouts} where ${isBooked})`
  const correcting = db
    .select({ line: payoutLines.line })
    .from(payoutLines)
    .where(and(eq(payoutLines.account, account), eq(payoutLines.payout, correction)))
  return [
    db.insert(payoutLines).select(
      sql`select account, ${correction}, row_number() over (order by min(line)), kind, max(at), job, reference,
        order_number, sum(gross), sum(fee), max(text), max(finding)
      from (
        select * from ${payoutLines} where ${isLineOf(form)} union all
        select account, payout, line, kind, at, job, reference, order_number, -gross, -fee, text, null
        from ${payoutLines} where account = ${account} and payout in ${booked})
      where ${there}
      group by kind, job, reference, order_number having total(gross) <> 0 or total(fee) <> 0`,
    ),
    db.insert(payouts).select(
      sql`select account, ${correction}, currency, amount - ${before}, ${paidAt}, month, true, mode, null from ${payouts}
      where ${isThere(form)} and (amount <> ${before} or ${exists(correcting)})`,
    ),
    db.delete(payoutLines).where(and(isLineOf(form), there)),
    db.delete(payouts).where(isThere(form)),
  ]
}
