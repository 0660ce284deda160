import { traceLine } from '../contract/payment-job.ts'
import type { State } from '../job/core/state.ts'
import { represent } from '../job/core/show.ts'
import {
  traceHead,
  bodySignature,
  signingSecret,
  signingSecrets,
  webhookHeaders,
} from '../platform/crypto/signing.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { type Profile, signingVersionAt } from '../registry/profile.ts'

/** The request that carries a report to its receiver. */
export type SignedReport = { headers: Record<string, string>; body: string }

/** The report of a job as it stands. `webhook-id` is the same at each try of a revision. */
export async function signReport(
  env: Env,
  job: State,
  revision: number,
  profile: Profile,
): Promise<SignedReport> {
  const shown = represent(job)
  const body = JSON.stringify(shown)
  const secrets = await signingSecrets(env.SIGNING_ROOT, profile.pos, profile.signingVersion)
  const version = signingVersionAt(profile, Date.now())
  const secret = await signingSecret(env.SIGNING_ROOT, profile.pos, version)
  const id = `msg_${job.id}_${revision}`
  const signed = await webhookHeaders(secrets, id, Math.floor(Date.now() / 1000), body)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-hub',
    'x-request-id': currentRequestId(),
    'x-signature': await bodySignature(secret, body),
    'x-trace-head': await traceHead(secret, job.id, shown.payments.steps.map(traceLine)),
    ...signed,
  }
  return { headers, body }
}
