import { represent } from '../domain/representation.ts'
import type { PosHandler } from './authenticate.ts'
import type { PaymentJob } from './contract/payment-job.ts'
import { noJob, ownJob } from './own-job.ts'
import { signedJson } from './signed.ts'

/** `GET /v2/paymentjobs/{id}`: the job as it stands. */
export const retrievePaymentJob: PosHandler<{ id: string }> = async (_, { env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job ? signedJson(env, profile, 200, represent(job) satisfies PaymentJob) : noJob
}
