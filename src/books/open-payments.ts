import { DAY } from '../contract/timestamp.ts'
import type { JobRow } from '../job/core/row.ts'
import { walkJobs } from '../job-index/find-jobs.ts'
import { bookedJobs } from './store.ts'

/** The oldest payments (ms) that the hub looks for. The payout of older ones came long ago, or never will. */
const LOOKED_BACK = 120 * DAY

/** Returns whether payouts lack a payment or a part of it. */
function isOpen({ id, currency, paid }: JobRow, booked: Map<string, { currency: string; gross: number }>) {
  const found = booked.get(id)
  // Amounts of a payout in another currency cannot be compared.
  return !found || (found.currency === currency && found.gross < paid)
}

/**
 * Returns payments that are in no payout yet, of jobs created before a time (ms): at one account, or at each one
 * that `isWanted`. More than `limit` rows mean that there are more.
 */
export async function openPayments(
  env: Env,
  of: { account: string } | { isWanted: (account: string) => boolean },
  before: number,
  limit: number,
): Promise<JobRow[]> {
  const open: JobRow[] = []
  const [filter, isWanted] = 'account' in of ? [of, () => true] : [{}, of.isWanted]
  const span = { from: (before - LOOKED_BACK) * 1000, to: before * 1000 }
  const search = { keys: [], pos: null, filter: { isPaid: true, ...filter }, ...span }
  for await (const rows of walkJobs(env, search)) {
    const wanted = rows.filter(({ account }) => isWanted(account))
    const ids = wanted.map(({ id }) => id)
    const booked = await bookedJobs(env.DB, ids)
    open.push(...wanted.filter((row) => isOpen(row, booked)))
    if (open.length > limit) return open
  }
  return open
}
