import { ok } from '../platform/result.ts'
import type { Handler } from '../platform/http/routes.ts'
import { jobPage } from './job-page.tsx'
import { readJob } from '../job/call-job.ts'
import { findJob } from './find-job.ts'
import { shopOf } from './shop.ts'

/** `GET /receipt/{id}`: how the job stands, for as long as it is stored. It asks no PSP, and changes nothing. */
export const receipt: Handler<{ id: string }> = async (request, { env, params }) => {
  const visit = await findJob(request, env, { id: params.id, to: 'pay' }, (id) => readJob(env, id))
  if (!visit.ok) return ok(visit.error)
  const job = visit.value
  return ok(await jobPage(request, job, await shopOf(env, job), 'receipt'))
}
