import { readJob } from '../job/call-job.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import { ok } from '../contract/result.ts'
import { receiptEvents } from './events.ts'
import { findJob } from './find-job.ts'
import { jobPage } from './job-page.tsx'
import { pay } from './pay.ts'
import { comeBack } from './return.ts'
import { shopOf } from './shop.ts'

/**
 * `GET /receipt/{id}`: how the job stands, for as long as it is stored. It asks no PSP, and changes
 * nothing.
 */
const receipt: Handler<{ id: string }> = async (request, { env, params }) => {
  const visit = await findJob(request, env, { id: params.id, to: 'pay' }, (id) => readJob(env, id))
  if (!visit.ok) return ok(visit.error)
  const job = visit.value
  return ok(await jobPage(request, job, await shopOf(env, job), 'receipt'))
}

/** What the customer's browser meets. */
export const checkout = routes((table) =>
  table
    .get('/pay/:id', pay)
    .get('/return/:id', comeBack)
    .get('/receipt/:id', receipt)
    .get('/receipt/:id/events', receiptEvents),
)
