import { isJobId } from '../domain/job-id.ts'
import { represent } from '../domain/representation.ts'
import type { Answer } from '../http/routes.ts'
import { callJob } from '../payment-job/call-job.ts'
import type { PosRequest } from './authenticate.ts'
import { signedJson } from './signed.ts'

/** `GET /v2/paymentjobs/{id}`: the job as it stands. Another POS's job is as unknown as one that never was. */
export const retrievePaymentJob = async (request: PosRequest, env: Env): Promise<Answer> => {
  const id = String(request.params['id']).toLowerCase()
  const job = isJobId(id) ? await callJob(env, id, (stub) => stub.read()) : null
  return job?.pos === request.profile.pos
    ? signedJson(env, request.profile, 200, represent(job))
    : { refused: 'not-found', detail: 'There is no payment job with this id.' }
}
