import type { DeliveryOutcome } from '../job/rules/reporting.ts'
import { retryAfterOf } from '../platform/http/retry-after.ts'

/** What a receiver's answer says of a try. Standard Webhooks: 410 says that the receiver wants no more of them. */
export function judge({ status, headers }: Pick<Response, 'status' | 'headers'>): DeliveryOutcome {
  const outcome = String(status)
  if (status >= 200 && status <= 299) return { is: 'delivered', outcome }
  return status === 410
    ? { is: 'stopped', outcome }
    : { is: 'failed', outcome, retryAfter: retryAfterOf(headers, Date.now()) }
}
