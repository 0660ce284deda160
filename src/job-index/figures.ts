import { COUNTERS } from './counters.ts'
import { indexShards } from './index-shards.ts'

/** Counters of payments that have something in common (`key`) and a currency. */
export type Counted = { key: string; currency: string; counts: ReadonlyMap<string, number> }

/** What counters are told apart by. */
const KEYS = {
  hour: 'hour',
  day: 'hour / 24',
  account: 'account',
  method: 'payment_method',
  pos: 'pos',
  currency: 'currency',
} as const
export type CountedBy = keyof typeof KEYS

/** Payments created in some hours (since 1970; `to` is not in it), of some points of sale, of an account, of a method. */
export type CountsWanted = {
  by: CountedBy
  from: number
  to: number
  pos: readonly string[]
  account: string | undefined
  method: string | undefined
}

const HOUR_MICROS = 3_600_000_000

/** The sums of counters, over all shards that have payments of that time. It reads the counters of these hours, and no jobs. */
export async function countedJobs(env: Env, { by, from, to, ...wanted }: CountsWanted): Promise<Counted[]> {
  const query = `select cast(${KEYS[by]} as text) as key, currency, ${COUNTERS.map((name) => `sum(${name}) as ${name}`).join(', ')}
    from job_counts where hour >= ?1 and hour < ?2 and pos in (select value from json_each(?3))
    and (?4 is null or account = ?4) and (?5 is null or payment_method = ?5)
    group by 1, 2 having sum(created) <> 0 order by ${KEYS[by]}`
  const values = [from, to, JSON.stringify(wanted.pos), wanted.account ?? null, wanted.method ?? null]
  const found = await Promise.all(
    indexShards(env)
      .between(from * HOUR_MICROS, to * HOUR_MICROS, null)
      .map((database) =>
        database
          .prepare(query)
          .bind(...values)
          .all<{ key: string; currency: string } & Record<string, unknown>>(),
      ),
  )
  return found.flatMap(({ results }) =>
    results.map(({ key, currency, ...sums }) => ({
      key,
      currency,
      counts: new Map(COUNTERS.map((name) => [name, Number(sums[name])])),
    })),
  )
}
