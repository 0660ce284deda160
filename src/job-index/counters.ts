/** What is counted of jobs (`job_counts`), as SQL over their rows. */

/** The key of the counters. */
export const KEY = 'hour, pos, account, payment_method, currency, purged'

/** Seconds that bound how long a payment took: `paid_in_10` counts up to 10 s, `paid_in_20` those that took longer up to 20 s. */
export const BOUNDS = [10, 20, 40, 90, 180, 600, 3600] as const

const MEASURES: readonly [counter: string, ofRow: string][] = [
  ['created', '1'],
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
]

/** The counters, by the names of their columns. */
export const COUNTERS = MEASURES.map(([counter]) => counter)

/** The names of the counters that say how long payments took, from the quickest. */
export const TIMES = COUNTERS.filter((counter) => counter.startsWith('paid_'))

/**
 * What rows come to, by key. `rows` is the name of a table with columns of `jobs`, `purged`, and a
 * `sign`: -1 takes a row away.
 */
export function sumsOf(rows: string): string {
  return `select created / 3600000000 as hour, pos, account, payment_method, currency, purged,
    ${MEASURES.map(([counter, ofRow]) => `coalesce(sum(sign * (${ofRow})), 0) as ${counter}`).join(', ')}
  from ${rows} group by created / 3600000000, pos, account, payment_method, currency, purged`
}

/** 1 for a payment that succeeded in that time (s), else 0. Release 0.3 wrote rows that do not tell. */
function paidBetween(over: number, upTo: number | null): string {
  const most = upTo === null ? '' : ` and paid_after <= ${upTo * 1000}`
  return `iif(status = 'SUCCESS' and paid_after > ${over * 1000}${most}, 1, 0)`
}
