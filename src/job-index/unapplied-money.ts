import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inShards } from './index-shards.ts'

/** How many payments of a shard are counted: more than an operator ever lets stand. */
const MOST_COUNTED = 1000

/** Payments with money that pays no order, in a currency; `amount` in minor units. */
export type UnappliedSum = { currency: string; payments: number; amount: number }

/** Sums the money that pays no order at some points of sale. Drizzle cannot name an index. */
export async function unappliedSums(env: Env, among: readonly string[]): Promise<UnappliedSum[]> {
  const found = await inShards(env, (database) =>
    drizzle(database).all<UnappliedSum>(sql`
      select currency, count(*) as payments, sum(unapplied) as amount
      from (
        select currency, unapplied from jobs indexed by jobs_unapplied
        where unapplied > 0 and pos in (select value from json_each(${JSON.stringify(among)}))
        limit ${MOST_COUNTED})
      group by currency`),
  )
  return Array.from(
    Map.groupBy(found, ({ currency }) => currency),
    ([currency, all]) => ({
      currency,
      payments: all.reduce((sum, one) => sum + one.payments, 0),
      amount: all.reduce((sum, one) => sum + one.amount, 0),
    }),
  )
}
