import type { JobRow } from '../job/core/row.ts'
import { formatAmount } from '../contract/money.ts'
import { formatMicros } from '../contract/timestamp.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import type { PosHandler } from './handler.ts'
import type { ListedPaymentJob } from '../contract/payment-job.ts'
import { writePosition } from '../contract/queries.ts'
import { reply } from '../platform/http/operations.ts'

/** How many seconds a change takes to the index as a rule: its queue waits two for more rows. */
const LAG_SECONDS = 5

export const listPaymentJobs: PosHandler<'listPaymentJobs'> = async ({ env, query }, profile) => {
  const { order_number: orderNumber, from = 0, to = Number.MAX_SAFE_INTEGER, status, limit } = query
  if (from > to) return invalidField('from', 'must not be later than `to`')
  const { rows, next } = await findJobs(env, {
    keys: orderNumber === undefined ? [] : [{ is: 'orderNumber', text: orderNumber }],
    pos: profile.pos,
    filter: { statuses: status && [status] },
    from,
    to,
    after: query.after ?? null,
    limit,
  })
  return reply({
    paymentJobs: rows.map(represent),
    next: next && writePosition(next),
    lagSeconds: LAG_SECONDS,
  })
}

function represent(row: JobRow): ListedPaymentJob {
  return {
    paymentJob: row.id,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    created: formatMicros(row.created),
    lastUpdate: formatMicros(row.updated),
    currency: row.currency,
    amount: formatAmount(row.amount, row.currency),
    amountDue: formatAmount(Math.max(row.amount - row.paid, 0), row.currency),
    amountPaid: formatAmount(row.paid, row.currency),
    paymentMethod: row.paymentMethod,
    status: row.status,
  }
}
