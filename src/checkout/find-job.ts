import type { Job } from '../domain/job.ts'
import { parseJobId } from '../domain/job-id.ts'
import { type Result, ok, refuse } from '../domain/result.ts'
import { clientNetwork } from '../http/client-network.ts'
import { visitJob } from '../payment-job/visit-job.ts'
import { tooManyPage, unknownPage } from './dead-ends.tsx'

/** The job that a customer's link leads to; or the page for a link that leads to none, or that comes after too many such. */
export const findJob = async (
  request: Request,
  env: Env,
  link: { id: string; to: 'pay' | 'return' },
  find: (id: string) => Promise<Job | null>,
): Promise<Result<Job, Response>> => {
  const id = parseJobId(link.id)
  if (id === null) return refuse(await unknownPage(request))
  const job = await visitJob(env, { id, to: link.to, from: clientNetwork(request) }, () => find(id))
  if (job === 'too-many') return refuse(await tooManyPage(request))
  return job ? ok(job) : refuse(await unknownPage(request))
}
