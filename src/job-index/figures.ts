import { and, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { jobCounts } from '../registry/schema.ts'
import { type Counts, eachCounter } from './counters.ts'
import { inShards } from './index-shards.ts'

/** Counters of payments that have something in common (`key`) and a currency. */
export type Counted = { key: string; currency: string; counts: Counts }

/** What counters are told apart by. */
const KEYS = {
  hour: jobCounts.hour,
  day: sql`${jobCounts.hour} / 24`,
  account: jobCounts.account,
  method: jobCounts.paymentMethod,
  pos: jobCounts.pos,
  currency: jobCounts.currency,
} as const
type CountedBy = keyof typeof KEYS

/**
 * Payments created in some hours (since 1970; `to` is not in it), of points of sale, an account, a
 * method.
 */
type CountsWanted = {
  by: CountedBy
  from: number
  to: number
  pos: readonly string[]
  account: string | undefined
  method: string | undefined
}

/** The sum of each counter. */
const SUMS = eachCounter((column) => sql<number>`sum(${column})`)

const HOUR_MICROS = 3_600_000_000

/** The sums of counters over all shards. It reads the counters of these hours, and no jobs. */
export function countedJobs(env: Env, { by, from, to, ...wanted }: CountsWanted): Promise<Counted[]> {
  return inShards(
    env,
    async (database) => {
      const found = await drizzle(database)
        .select({ key: sql<string>`cast(${KEYS[by]} as text)`, currency: jobCounts.currency, ...SUMS })
        .from(jobCounts)
        .where(
          and(
            gte(jobCounts.hour, from),
            lt(jobCounts.hour, to),
            // As JSON: there may be more points of sale than a statement has parameters.
            sql`${jobCounts.pos} in (select value from json_each(${JSON.stringify(wanted.pos)}))`,
            wanted.account === undefined ? undefined : eq(jobCounts.account, wanted.account),
            wanted.method === undefined ? undefined : eq(jobCounts.paymentMethod, wanted.method),
          ),
        )
        .groupBy(KEYS[by], jobCounts.currency)
        .having(ne(SUMS.created, 0))
        .orderBy(KEYS[by])
      return found.map(({ key, currency, ...counts }) => ({ key, currency, counts }))
    },
    { from: from * HOUR_MICROS, to: to * HOUR_MICROS },
  )
}
