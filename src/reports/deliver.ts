import { readConfig } from '../config.ts'
import { bodySignature, signingSecret, signingSecrets, webhookHeaders } from '../crypto/signing.ts'
import type { Job } from '../domain/job.ts'
import type { DeliveryOutcome } from '../domain/reporting.ts'
import { represent } from '../domain/representation.ts'
import { signingVersionAt } from '../domain/signing-version.ts'
import { retryAfterOf } from '../http/retry-after.ts'
import { refusedUrl } from '../http/public-url.ts'
import type { Profile } from '../domain/profile.ts'
import { currentRequestId } from '../request-context.ts'

/** How long a receiver may take to answer, in milliseconds. */
const DEADLINE = 15_000

/** POSTs the job as it stands to its `report_url`. Only a 2xx is delivered; a redirect is not followed. */
export const deliver = async (
  env: Env,
  job: Job,
  revision: number,
  profile: Profile,
): Promise<DeliveryOutcome> => {
  const { reportUrl } = job.order
  const { hosts, loopback } = readConfig(env)
  const rules = { own: [new URL(job.origin).hostname, ...hosts], loopback }
  if (refusedUrl(reportUrl, rules)) return { is: 'stopped', outcome: 'address refused' }
  const body = JSON.stringify(represent(job))
  const secrets = await signingSecrets(env.SIGNING_ROOT, profile.pos, profile.signingVersion)
  const version = signingVersionAt(profile, Date.now())
  const signed = await webhookHeaders(
    secrets,
    `msg_${job.id}_${revision}`,
    Math.floor(Date.now() / 1000),
    body,
  )
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-hub',
    'x-request-id': currentRequestId(),
    'x-signature': await bodySignature(await signingSecret(env.SIGNING_ROOT, profile.pos, version), body),
    ...signed,
  }
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const response = await fetch(reportUrl, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: deadline,
    })
    await response.body?.cancel()
    return judge(response)
  } catch {
    return {
      is: 'failed',
      outcome: deadline.aborted ? 'no answer in time' : 'no connection',
      retryAfter: null,
    }
  }
}

/** Standard Webhooks: 410 says that the receiver wants no more of them. */
const judge = (response: Response): DeliveryOutcome => {
  const outcome = String(response.status)
  if (response.ok) return { is: 'delivered', outcome }
  return response.status === 410
    ? { is: 'stopped', outcome }
    : { is: 'failed', outcome, retryAfter: retryAfterOf(response.headers, Date.now()) }
}
