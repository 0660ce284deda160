/** What is counted of jobs (`job_counts`), as SQL over their rows. */

/** The key of the counters. */
export const KEY = 'hour, pos, account, payment_method, currency, purged'

/** Seconds that bound how long a payment took: `paid_in_10` counts up to 10 s, `paid_in_20` those that took longer up to 20 s. */
export const BOUNDS = [10, 20, 40, 90, 180, 600, 3600] as const

/** Milliseconds that bound how long an account took to take an order. */
export const ANNOUNCE_BOUNDS = [250, 500, 1000, 2000, 4000] as const

const MEASURES: readonly [counter: string, ofRow: string][] = [
  ['created', '1 - is_missed'],
  ...['success', 'failure', 'cancelled', 'expired'].map((status): [string, string] => [
    status,
    `status = '${status.toUpperCase()}'`,
  ]),
  ['paid', `iif(status = 'SUCCESS', paid, 0)`],
  ...BOUNDS.map((bound, at): [string, string] => [
    `paid_in_${bound}`,
    paidBetween(BOUNDS[at - 1] ?? -1, bound),
  ]),
  ['paid_later', paidBetween(3600, null)],
  ...ANNOUNCE_BOUNDS.map((bound, at): [string, string] => [
    `announced_in_${bound}`,
    `announced_in > ${ANNOUNCE_BOUNDS[at - 1] ?? -1} and announced_in <= ${bound}`,
  ]),
  ['announced_later', `announced_in > ${ANNOUNCE_BOUNDS.at(-1)}`],
  ['missed', 'is_missed'],
]

/** The counters, by the names of their columns. */
export const COUNTERS = MEASURES.map(([counter]) => counter)

/** The names of the counters that say how long payments took, from the quickest. */
export const TIMES = COUNTERS.filter((counter) => counter.startsWith('paid_'))

/** Those that say how long accounts took to take orders, from the quickest. */
export const ANNOUNCE_TIMES = COUNTERS.filter((counter) => counter.startsWith('announced_'))

/**
 * What rows come to, by key. `rows` is the name of a table with columns of `jobs`, `purged`, and a `sign`: -1 takes a row
 * away. A payment is one more that each account missed which could not take it.
 */
export function sumsOf(rows: string): string {
  return `select created / 3600000000 as hour, pos, account, payment_method, currency, purged,
    ${MEASURES.map(([counter, ofRow]) => `coalesce(sum(sign * (${ofRow})), 0) as ${counter}`).join(', ')}
  from (
    select sign, purged, created, pos, account, payment_method, currency, status, paid, paid_after, announced_in,
      0 as is_missed from ${rows}
    union all
    select sign, purged, created, pos, value, payment_method, currency, null, 0, null, null, 1
    from ${rows}, json_each(missed_at) where missed_at is not null)
  group by created / 3600000000, pos, account, payment_method, currency, purged`
}

/** 1 for a payment that succeeded in that time (s), else 0. */
function paidBetween(over: number, upTo: number | null): string {
  const most = upTo === null ? '' : ` and paid_after <= ${upTo * 1000}`
  return `iif(status = 'SUCCESS' and paid_after > ${over * 1000}${most}, 1, 0)`
}
