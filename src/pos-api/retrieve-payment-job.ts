import { represent } from '../domain/representation.ts'
import { refuse } from '../domain/result.ts'
import { readJob } from '../payment-job/call-job.ts'
import type { PosHandler } from './authenticate.ts'
import { signedJson } from './signed.ts'

/** `GET /v2/paymentjobs/{id}`: the job as it stands. Another POS's job is as unknown as one that never was. */
export const retrievePaymentJob: PosHandler<{ id: string }> = async (_, { env, params }, profile) => {
  const job = await readJob(env, params.id)
  return job?.pos === profile.pos
    ? signedJson(env, profile, 200, represent(job))
    : refuse({ refused: 'not-found', detail: 'There is no payment job with this id.' })
}
