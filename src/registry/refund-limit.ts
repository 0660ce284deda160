import { dayStart, localOf, nextDay } from '../platform/pages/zoned-time.ts'
import { countedRefunds } from './schema.ts'

/** A refund that counts against the limit of its point of sale. `amount` is in minor units. */
export type CountedRefund = typeof countedRefunds.$inferSelect

/** Returns the day of refunds in a zone, and when (ms) the next one begins. */
export function refundDay(now: number, zone: string): { day: string; ends: number } {
  const day = localOf(now, zone).slice(0, 10)
  return { day, ends: dayStart(nextDay(day), zone) }
}

/**
 * Counts a refund if the limit of its day has room for it, in one transaction. The same refund again counts
 * once, also on the next day. `isIn`: it counts. `isNew`: it did not before. Forgets older days.
 */
export async function countRefund(
  database: D1Database,
  { id, amount, pos, currency, day }: CountedRefund,
  limit: number,
): Promise<{ isIn: boolean; isNew: boolean; used: number }> {
  const ofDay = 'from counted_refunds where pos = ?3 and currency = ?4 and day = ?5'
  const bind = (query: string, ...more: number[]) =>
    database.prepare(query).bind(id, amount, pos, currency, day, ...more)
  const [written, found] = await database.batch<{ isIn: number; used: number }>([
    bind(
      `insert into counted_refunds (id, amount, pos, currency, day) select ?1, ?2, ?3, ?4, ?5
       where (select ifnull(sum(amount), 0) ${ofDay}) + ?2 <= ?6 on conflict do nothing`,
      limit,
    ),
    bind(
      `select exists(select 1 from counted_refunds where id = ?1 and amount = ?2) as isIn,
       (select ifnull(sum(amount), 0) ${ofDay}) as used`,
    ),
    database.prepare("delete from counted_refunds where day < date(?, '-2 days')").bind(day),
  ])
  const { isIn = 0, used = 0 } = found?.results[0] ?? {}
  return { isIn: isIn === 1, isNew: written?.meta.changes === 1, used }
}

/** Gives the room of a refund back that was not made. */
export async function uncountRefund(database: D1Database, { id, amount }: CountedRefund): Promise<void> {
  await database.prepare('delete from counted_refunds where id = ? and amount = ?').bind(id, amount).run()
}

/** Returns how much of each currency (minor units) counts against the limits of a day. */
export async function refundsOf(
  database: D1Database,
  pos: string,
  day: string,
): Promise<ReadonlyMap<string, number>> {
  const query =
    'select currency, sum(amount) used from counted_refunds where pos = ? and day = ? group by currency'
  const { results } = await database.prepare(query).bind(pos, day).all<{ currency: string; used: number }>()
  return new Map(results.map(({ currency, used }) => [currency, used]))
}
