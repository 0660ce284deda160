import { DAY } from '../contract/timestamp.ts'
import type { JobRow } from '../job/core/row.ts'
import { walkJobs } from '../job-index/find-jobs.ts'
import { bookedJobs } from './store.ts'

/** Payments older than this (ms) are looked for no more: their payout came long ago, or never. */
const LOOKED_BACK = 120 * DAY

/** Returns whether the payouts lack a payment, or a part of it. */
function isOpen({ id, currency, paid }: JobRow, booked: Map<string, { currency: string; gross: number }>) {
  const found = booked.get(id)
  // A payout in another currency cannot be compared.
  return !found || (found.currency === currency && found.gross < paid)
}

/**
 * Payments that were paid at some accounts and are in no payout yet, of jobs that were created
 * before a time (ms): at most `limit` and one more, which tells that there are more.
 */
export async function openPayments(
  env: Env,
  accounts: readonly string[],
  before: number,
  limit: number,
): Promise<JobRow[]> {
  const open: JobRow[] = []
  const span = { from: (before - LOOKED_BACK) * 1000, to: before * 1000 }
  for (const account of accounts) {
    const search = { keys: [], pos: null, filter: { isPaid: true, account }, ...span }
    for await (const rows of walkJobs(env, search)) {
      const booked = await bookedJobs(
        env.DB,
        rows.map(({ id }) => id),
      )
      open.push(...rows.filter((row) => isOpen(row, booked)))
      if (open.length > limit) return open
    }
  }
  return open
}
