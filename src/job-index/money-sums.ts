import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { inShards } from './index-shards.ts'

/** The most payments of a shard that are counted: more than an operator ever leaves open. */
const MOST_COUNTED = 1000

/** Payments in a currency with money that waits for a decision. `amount` is in minor units. */
export type MoneySum = { currency: string; payments: number; amount: number }

/** Sums the money that pays no order at some points of sale. */
export function unappliedSums(env: Env, among: readonly string[]): Promise<MoneySum[]> {
  return sumsOf(env, among, sql`unapplied`, sql`jobs indexed by jobs_unapplied where unapplied > 0`)
}

/** Sums the money at some points of sale whose reservation ends before a time (ms). */
export function reservedSums(env: Env, among: readonly string[], until: number): Promise<MoneySum[]> {
  const reserved = sql`jobs indexed by jobs_reserved where capture_before < ${until}`
  return sumsOf(env, among, sql`max(authorized - paid - released, 0)`, reserved)
}

/** Written as SQL, because Drizzle cannot name an index. */
async function sumsOf(env: Env, among: readonly string[], money: SQL, jobs: SQL): Promise<MoneySum[]> {
  const found = await inShards(env, (database) =>
    drizzle(database).all<MoneySum>(sql`
      select currency, count(*) as payments, sum(money) as amount
      from (
        select currency, ${money} as money from ${jobs}
        and pos in (select value from json_each(${JSON.stringify(among)}))
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
