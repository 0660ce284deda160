import { formatAmount } from '../contract/money.ts'
import type { InstructionRefusal } from './core/instruct.ts'
import { type State, stageOf, statusOf } from './core/state.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { NotCancelled } from './call-job.ts'

/** Returns the API's refusal of a refund, a capture or a release. */
export function instructionRefused(refusal: InstructionRefusal, { order: { currency } }: State): Refusal {
  const about = refusal.kind === 'refund' ? 'refund' : 'capture'
  switch (refusal.is) {
    case 'unpaid':
      return {
        code: 'refund-unpaid',
        detail: refusal.isReserved
          ? 'Nothing was captured yet, so nothing can be refunded: release the reserved money.'
          : 'Nothing was paid, so nothing can be refunded.',
      }
    case 'not-reserved':
      return { code: 'capture-not-reserved', detail: 'The PSP holds no money of this payment.' }
    case 'nothing-left':
      return refusal.kind === 'refund'
        ? {
            code: 'refund-nothing-left',
            detail: 'Everything that was paid is refunded, or is on its way back.',
          }
        : {
            code: 'capture-nothing-left',
            detail:
              'Everything that was reserved is captured or released, or is about to be. Some PSPs capture only once, and release the rest.',
          }
    case 'too-much': {
      const parts = refusal.inParts
        ? ': several payments paid this order, and each is refunded by itself'
        : ''
      const error = `must be at most ${formatAmount(refusal.rest, currency)}${parts}`
      return { code: `${about}-too-much`, errors: [{ field: 'amount', error }] }
    }
    case 'too-many':
      return { code: `${about}-limit`, detail: `A payment can have 100 ${about}s at most.` }
    case 'other-refund':
    case 'other-capture':
    case 'other-release':
      return {
        code: 'idempotency-key-reused',
        detail: `This Idempotency-Key was used before, for another ${about}.`,
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
  if (stageOf(job) === 'authorized')
    return { code: 'cancel-too-late', detail: 'The money is reserved: release it instead.' }
  const how = stageOf(job) ? 'PENDING, with its money on the way' : statusOf(job)
  return { code: 'cancel-too-late', detail: `It is too late to cancel: the payment job is ${how}.` }
}

/** The API's refusal to send a report of a job again. */
export const resentTooOften: Refusal = {
  code: 'job-limit',
  detail: 'The reports of a payment job can be tried 300 times.',
}
