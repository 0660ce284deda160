import { represent } from '../job/rules/representation.ts'
import { refuse } from '../platform/result.ts'
import { cancelPayment } from '../job/cancel-payment.ts'
import { cancelRefused } from '../job/refund-refusals.ts'
import type { PosHandler } from './authenticate.ts'
import type { PaymentJob } from './contract/payment-job.ts'
import { noJob, ownJob } from './own-job.ts'
import { signedJson } from './signed.ts'

/** `POST /v2/paymentjobs/{id}/cancel`: stops what the customer can still pay. 409 with the present status when it is too late. */
export const cancelPaymentJob: PosHandler<{ id: string }> = async (_, { env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const cancelled = await cancelPayment(env, job.id, 'shop')
  if (cancelled === null) return noJob
  return cancelled.ok
    ? signedJson(env, profile, 200, represent(cancelled.value) satisfies PaymentJob)
    : refuse(cancelRefused(cancelled.error))
}
