import { formatAmount } from '../contract/money.ts'
import type { RefundRefusal } from './core/refunds.ts'
import { type State, stageOf, statusOf } from './core/state.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { NotCancelled } from './call-job.ts'

/** Returns the API's refusal of a refund. */
export function refundRefused(refusal: RefundRefusal, { order: { currency } }: State): Refusal {
  switch (refusal.is) {
    case 'unpaid':
      return { code: 'refund-unpaid', detail: 'Nothing was paid, so nothing can be refunded.' }
    case 'nothing-left':
      return {
        code: 'refund-nothing-left',
        detail: 'All that was paid has gone back, or is on its way back.',
      }
    case 'too-much': {
      const parts = refusal.inParts ? ': several payments paid this order, and each goes back by itself' : ''
      const error = `must be at most ${formatAmount(refusal.rest, currency)}${parts}`
      return { code: 'refund-too-much', errors: [{ field: 'amount', error }] }
    }
    case 'too-many':
      return { code: 'refund-limit', detail: 'A payment can have 100 refunds at most.' }
    case 'other-refund':
      return {
        code: 'idempotency-key-reused',
        detail: 'This Idempotency-Key was used before, for another refund.',
        field: 'Idempotency-Key',
      }
  }
}

/** Returns the API's refusal of a cancel. */
export function cancelRefused(refusal: NotCancelled): Refusal {
  if (refusal.is === 'unavailable') {
    return { code: 'psp-unavailable', detail: 'The payment could not be stopped. Try again.', retryAfter: 10 }
  }
  const { job } = refusal
  const how = stageOf(job) ? 'PENDING, with its money on the way' : statusOf(job)
  return { code: 'cancel-too-late', detail: `It is too late to cancel: the payment job is ${how}.` }
}

/** The API's refusal to send a report of a job again. */
export const resentTooOften: Refusal = {
  code: 'job-limit',
  detail: 'The reports of a payment job can be tried 300 times.',
}
