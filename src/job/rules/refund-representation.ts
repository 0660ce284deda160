import { formatAmount } from '../../contract/money.ts'
import type { Job } from './job.ts'
import type { Refund } from './refund.ts'
import { formatMicros } from '../../contract/timestamp.ts'

/** How a refund is called outside: it is PENDING until the PSP says that the money went back, or did not. */
const STATUS = { asking: 'PENDING', pending: 'PENDING', done: 'SUCCESS', failed: 'FAILURE' } as const

/** A refund as the API shows it. */
export function representRefund(
  { id: paymentJob, order }: Job,
  { id, amount, description, state, error, at }: Refund,
) {
  return {
    refund: id,
    paymentJob,
    created: formatMicros(at * 1000),
    currency: order.currency,
    amount: formatAmount(amount, order.currency),
    description,
    status: STATUS[state],
    error,
  }
}
