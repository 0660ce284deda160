import type { ListedJob } from '../contract/jobs.ts'
import { formatAmount } from '../contract/money.ts'
import { formatMicros, isoTime } from '../contract/timestamp.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import { readJob } from '../job/call-job.ts'
import { type JobRow, rowOf } from '../job/core/row.ts'
import { reply } from '../platform/http/operations.ts'
import { namesOfPos } from '../registry/points-of-sale.ts'
import type { OperatorHandler } from './handler.ts'
import { namesIn, readJobQuery } from './job-query.ts'

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

/**
 * `GET
 * /operator/v1/jobs?q&id&order_number&order_id&reference&pos&status&method&account&currency&amount&from&to&limit&after`:
 * jobs as the index has them, newest first; `to` is not in the time. A job that is named by its id
 * is asked itself.
 */
export const listJobs: OperatorHandler<'searchJobs'> = async ({ request, env, query: asked }) => {
  const query = await readJobQuery(env, asked, namesIn(request))
  if (!query.ok) return query
  const { id, search } = query.value
  const [job, { rows, next }] = await Promise.all([
    id === null ? null : readJob(env, id),
    search === null ? { rows: [], next: null } : findJobs(env, search),
  ])
  const all = [...(job ? [rowOf(job)] : []), ...rows.filter((row) => row.id !== job?.id)]
  return reply({
    jobs: await listedJobs(env, all),
    next: next && `${formatMicros(next.created)}-${next.id}`,
  })
}
