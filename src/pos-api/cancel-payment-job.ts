import { represent } from '../job/rules/representation.ts'
import { refuse } from '../contract/result.ts'
import { cancelPayment } from '../job/cancel-payment.ts'
import { cancelRefused } from '../job/refund-refusals.ts'
import { reply } from '../platform/http/operations.ts'
import type { PosHandler } from './handler.ts'
import { noJob, ownJob } from './own-job.ts'

/** `POST /v2/paymentjobs/{id}/cancel`: stops what the customer can still pay. 409 with the present status when it is too late. */
export const cancelPaymentJob: PosHandler<'cancelPaymentJob'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const cancelled = await cancelPayment(env, job.id, 'shop')
  if (cancelled === null) return noJob
  return cancelled.ok ? reply(represent(cancelled.value)) : refuse(cancelRefused(cancelled.error))
}
