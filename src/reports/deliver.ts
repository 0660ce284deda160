import { readConfig } from '../platform/config.ts'
import type { Job } from '../job/rules/job.ts'
import type { Profile } from '../registry/profile.ts'
import type { DeliveryOutcome } from '../job/rules/reporting.ts'
import { refusedUrl } from '../platform/http/public-url.ts'
import { type SignedReport, signReport } from './sign-report.ts'
import { answerBeginning } from './answer-beginning.ts'
import { judge } from './judge.ts'

/** How long a receiver may take to answer, in milliseconds. */
export const DEADLINE = 15_000

/** POSTs the job as it stands to its `report_url`. Only a 2xx is delivered; a redirect is not followed. */
export async function deliver(
  env: Env,
  job: Job,
  revision: number,
  profile: Profile,
): Promise<DeliveryOutcome> {
  return deliverSigned(env, job, await signReport(env, job, revision, profile))
}

/** POSTs a report that is signed already. */
export async function deliverSigned(env: Env, job: Job, signed: SignedReport): Promise<DeliveryOutcome> {
  return isRefused(env, job) ? refused : post(job.order.reportUrl, signed)
}

/** The address is judged again at each try: what is the hub's own host may have changed. */
function isRefused(env: Env, { origin, order }: Job): boolean {
  const { hosts, loopback } = readConfig(env)
  return refusedUrl(order.reportUrl, { own: [new URL(origin).hostname, ...hosts], loopback }) !== null
}

const refused: DeliveryOutcome = { is: 'stopped', outcome: 'address refused' }

/** POSTs what is signed. Only a 2xx is delivered; a redirect is not followed. */
export async function post(url: string, { headers, body }: SignedReport): Promise<DeliveryOutcome> {
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: deadline })
    const judged = judge(response)
    if (judged.is === 'delivered') {
      await response.body?.cancel()
      return judged
    }
    const answer = await answerBeginning(response)
    return answer === '' ? judged : { ...judged, answer }
  } catch {
    return unanswered(deadline)
  }
}

/** What became of a try that has no answer. */
export function unanswered({ aborted }: AbortSignal): DeliveryOutcome {
  return {
    is: 'failed',
    outcome: aborted ? 'no answer in time' : 'no connection',
    retryAfter: null,
  }
}
