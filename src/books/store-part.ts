import { type SQL, and, eq, getTableColumns, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Payout } from '../psp/payouts.ts'
import { payoutLines, payouts } from '../registry/schema.ts'
import type { MatchedLine } from './match-lines.ts'

/** A part of a payout: its lines from a number on, of so many; null while that is not known. */
export type Part = Payout & { account: string; from: number; total: number | null; lines: MatchedLine[] }

/**
 * Follows the id of a payout that comes again: `id~` is its new form while the parts come in,
 * `id~2` the first correction of a closed month. No PSP has this character in its ids.
 */
const AGAIN = '~'

/**
 * Writes a part of a payout, all or nothing; line 1 begins it anew. The payout counts (`isWhole`)
 * once all its lines are there. One that is booked already comes in beside itself. When it is
 * there, it takes the place of the booked one; if the month of that is closed, what differs becomes
 * a correction in the first open month. `other`: it was booked in another currency, or the part
 * belongs to nothing that was begun.
 */
export async function storePart(database: D1Database, part: Part): Promise<'whole' | 'partial' | 'other'> {
  const { account, id, currency, amount, paidAt, from, total } = part
  const booked = await bookedOne(database, account, id)
  if (booked && booked.currency !== currency) return 'other'
  const form = booked ? `${id}${AGAIN}` : id
  const rows = part.lines.map((line, at) => ({ account, payout: form, line: from + at, ...line }))
  const columns = LINE_COLUMNS.map((name) => sql.raw(`value ->> '${name}'`))
  const isForm = sql`account = ${account} and id = ${form}`
  const isComing = sql`${isForm} and not is_whole`
  const itsLines = sql`account = ${account} and payout = ${form}`
  const stays =
    booked && !booked.isClosed ? sql`${booked.month} not in (select month from closed_months)` : sql`true`
  // Counted with the last part alone: each count reads all lines that are there.
  const isLast = total !== null && from + rows.length > total
  const isWhole = isLast ? sql`(select count(*) from payout_lines where ${itsLines}) = ${total}` : sql`false`
  const results = await database.batch<Pick<Payout, 'currency' | 'amount'> & { isWhole: number }>([
    bound(
      database,
      sql`delete from payout_lines
      where ${itsLines} and ${from} = 1 and exists (select 1 from payouts where ${isComing})`,
    ),
    bound(database, sql`delete from payouts where ${isComing} and ${from} = 1`),
    bound(
      database,
      sql`insert into payouts (account, id, currency, amount, paid_at, month, is_whole)
      select ${account}, ${form}, ${currency}, ${amount}, ${paidAt}, ${monthOf(paidAt)}, false
      where ${from} = 1 on conflict do nothing`,
    ),
    bound(
      database,
      sql`insert into payout_lines select ${sql.join(columns, sql`, `)}
      from json_each(${JSON.stringify(rows)}) where exists (
        select 1 from payouts where ${isComing} and amount = ${amount} and currency = ${currency})
      on conflict do nothing`,
    ),
    bound(
      database,
      sql`update payouts set is_whole = true, month = ${openMonthFrom(booked?.paidAt ?? paidAt)}
      where ${isComing} and ${stays}
      and ${isWhole}`,
    ),
    bound(database, sql`select currency, amount, is_whole as isWhole from payouts where ${isForm}`),
    ...(booked && isLast ? (booked.isClosed ? correct : replace)(database, booked, form) : []),
  ])
  const found = results[FOUND]?.results[0]
  if (!found) return booked ? 'whole' : 'other'
  if (found.currency !== currency || found.amount !== amount) return 'other'
  return found.isWhole === 1 ? 'whole' : 'partial'
}

/** The place of the `select` among the statements above. */
const FOUND = 5

const LINE_COLUMNS = Object.keys(getTableColumns(payoutLines))

type Booked = typeof payouts.$inferSelect & { isClosed: number }

/** A statement for a batch: Drizzle takes none there that is written in SQL. */
function bound(database: D1Database, statement: SQL): D1PreparedStatement {
  const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(statement)
  return database.prepare(text).bind(...params)
}

async function bookedOne(database: D1Database, account: string, id: string): Promise<Booked | undefined> {
  const isClosed = sql<number>`${payouts.month} in (select month from closed_months)`
  const [found] = await drizzle(database)
    .select({ ...getTableColumns(payouts), isClosed })
    .from(payouts)
    .where(and(eq(payouts.account, account), eq(payouts.id, id), eq(payouts.isWhole, true)))
  return found
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7)
}

/** The month of a time (ms); if that is closed, the first open month after it. */
function openMonthFrom(time: number): SQL {
  return sql`(with recursive next(month) as (
    select ${monthOf(time)} union all
    select strftime('%Y-%m', next.month || '-01', '+1 month') from next
    where next.month in (select closed_months.month from closed_months))
    select max(next.month) from next)`
}

/** Puts the new form in the place of the booked one, once it is whole. */
function replace(database: D1Database, { account, id }: Booked, form: string) {
  const isThere = sql`exists (
    select 1 from payouts where account = ${account} and id = ${form} and is_whole)`
  return [
    bound(
      database,
      sql`delete from payout_lines where account = ${account} and payout = ${id} and ${isThere}`,
    ),
    bound(database, sql`delete from payouts where account = ${account} and id = ${id} and ${isThere}`),
    bound(
      database,
      sql`update payout_lines set payout = ${id}
      where account = ${account} and payout = ${form} and ${isThere}`,
    ),
    bound(
      database,
      sql`update payouts set id = ${id} where account = ${account} and id = ${form} and is_whole`,
    ),
  ]
}

/**
 * Books the difference between a new form, once it is whole, and the booked payout with its
 * corrections: a line for each payment and kind that has changed. Books nothing if none has.
 */
function correct(database: D1Database, { account, id, paidAt }: Booked, form: string) {
  const [first, end] = [`${id}${AGAIN}0`, `${id}${AGAIN}:`]
  const booked = sql`account = ${account} and (id = ${id} or id between ${first} and ${end}) and is_whole`
  const isThere = sql`account = ${account} and id = ${form} and is_whole`
  const itsLines = sql`account = ${account} and payout = ${form}`
  const correction = sql`(select ${`${id}${AGAIN}`} || (count(*) + 1) from payouts where ${booked})`
  const before = sql`(select sum(amount) from payouts where ${booked})`
  return [
    bound(
      database,
      sql`insert into payout_lines
      select account, ${correction}, row_number() over (order by min(line)), kind, max(at), job, reference,
        order_number, sum(gross), sum(fee), max(text), max(finding)
      from (
        select * from payout_lines where ${itsLines} union all
        select account, payout, line, kind, at, job, reference, order_number, -gross, -fee, text, null
        from payout_lines
        where account = ${account} and payout in (select id from payouts where ${booked}))
      where exists (select 1 from payouts where ${isThere})
      group by kind, job, reference, order_number having sum(gross) <> 0 or sum(fee) <> 0`,
    ),
    bound(
      database,
      sql`insert into payouts (account, id, currency, amount, paid_at, month, is_whole)
      select account, ${correction}, currency, amount - ${before}, ${paidAt}, month, true
      from payouts where ${isThere} and (amount <> ${before} or exists (
        select 1 from payout_lines where account = ${account} and payout = ${correction}))`,
    ),
    bound(
      database,
      sql`delete from payout_lines
      where ${itsLines} and exists (select 1 from payouts where ${isThere})`,
    ),
    bound(database, sql`delete from payouts where ${isThere}`),
  ]
}
