import { represent } from '../domain/representation.ts'
import { refuse } from '../domain/result.ts'
import { cancelPayment } from '../payment-job/cancel-payment.ts'
import type { PosHandler } from './authenticate.ts'
import { noJob, ownJob } from './own-job.ts'
import { signedJson } from './signed.ts'

/** `POST /v2/paymentjobs/{id}/cancel`: stops what the customer can still pay. 409 with the present status when it is too late. */
export const cancelPaymentJob: PosHandler<{ id: string }> = async (_, { env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const cancelled = await cancelPayment(env, job.id)
  if (cancelled === null) return noJob
  if (cancelled.ok) return signedJson(env, profile, 200, represent(cancelled.value))
  if (cancelled.error.is === 'too-late') {
    const { status, stage } = cancelled.error.job
    const detail = `It is too late to cancel: the payment job is ${stage ? 'PENDING, and its money is on the way' : status}.`
    return refuse({ refused: 'too-late', detail })
  }
  return refuse({
    refused: 'unavailable',
    detail: 'The payment could not be stopped. Try again.',
    retryAfter: 10,
  })
}
