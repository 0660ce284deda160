import type { JobRow } from '../job/rules/job-row.ts'
import { formatAmount } from '../contract/money.ts'
import { formatMicros, isoTime } from '../contract/timestamp.ts'
import { namesOfPos } from '../registry/points-of-sale.ts'
import type { ListedJob } from '../contract/jobs.ts'

/** Rows of the index as operators read them, with the names of their points of sale. */
export async function listedJobs(env: Env, rows: readonly JobRow[]): Promise<ListedJob[]> {
  const names =
    rows.length === 0 ? new Map() : await namesOfPos(env.DB, [...new Set(rows.map(({ pos }) => pos))])
  return rows.map((row) => represent(row, names))
}

function represent(row: JobRow, names: ReadonlyMap<string, string>): ListedJob {
  return {
    id: row.id,
    created: formatMicros(row.created),
    pos: row.pos,
    posName: names.get(row.pos) ?? row.pos,
    account: row.account,
    reference: row.reference,
    paymentMethod: row.paymentMethod,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    currency: row.currency,
    amount: formatAmount(row.amount, row.currency),
    paid: formatAmount(row.paid, row.currency),
    status: row.status,
    updated: formatMicros(row.updated),
    owedSince: isoTime(row.owedSince),
    givenUp: isoTime(row.undeliveredAt),
  }
}
