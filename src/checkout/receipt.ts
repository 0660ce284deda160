import { parseJobId } from '../domain/job-id.ts'
import { ok } from '../domain/result.ts'
import { clientNetwork } from '../http/client-network.ts'
import type { Handler } from '../http/routes.ts'
import { readJob } from '../payment-job/call-job.ts'
import { visitJob } from '../payment-job/visit-job.ts'
import { tooManyPage, unknownPage } from './dead-ends.tsx'
import { jobPage } from './job-page.tsx'
import { shopOf } from './shop.ts'

/** `GET /receipt/{id}`: how the job stands, for as long as it is stored. It asks no PSP, and changes nothing. */
export const receipt: Handler<{ id: string }> = async (request, { env, params }) => {
  const id = parseJobId(params.id)
  if (id === null) return ok(await unknownPage(request))
  const job = await visitJob(env, { id, to: 'pay', from: clientNetwork(request) }, () => readJob(env, id))
  if (job === 'too-many') return ok(await tooManyPage(request))
  if (!job) return ok(await unknownPage(request))
  return ok(await jobPage(request, job, await shopOf(env, job), 'receipt'))
}
