import { toRow } from '../job/rules/job-row.ts'
import { formatMicros } from '../contract/timestamp.ts'
import { readJob } from '../job/call-job.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import { namesIn, readJobQuery } from './job-query.ts'
import { listedJobs } from './listed-job.ts'
import type { OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/**
 * `GET /operator/v1/jobs?q&id&order_number&order_id&reference&pos&status&method&account&currency&amount&from&to&limit&after`: jobs
 * as the index has them, newest first; `to` is not in the time. A job that is named by its id is asked itself.
 */
export const listJobs: OperatorHandler<'searchJobs'> = async ({ request, env, query: asked }) => {
  const query = await readJobQuery(env, asked, namesIn(request))
  if (!query.ok) return query
  const { id, search } = query.value
  const [job, { rows, next }] = await Promise.all([
    id === null ? null : readJob(env, id),
    search === null ? { rows: [], next: null } : findJobs(env, search),
  ])
  const all = [...(job ? [toRow(job)] : []), ...rows.filter((row) => row.id !== job?.id)]
  return reply({
    jobs: await listedJobs(env, all),
    next: next && `${formatMicros(next.created)}-${next.id}`,
  })
}
