import { toRow } from '../job/rules/job-row.ts'
import { ok } from '../contract/result.ts'
import { invalidField } from '../platform/http/invalid.ts'
import { readJob } from '../job/call-job.ts'
import { walkJobs } from '../job-index/walk-jobs.ts'
import { csvLine } from './csv.ts'
import { exportBody } from './export-body.ts'
import { type JobQuery, namesIn, readJobQuery } from './job-query.ts'
import { listedJobs } from './listed-job.ts'
import type { ListedJob } from '../contract/jobs.ts'
import type { OperatorHandler } from './handler.ts'

/** The columns of a CSV file: all that is listed of a job. */
const COLUMNS = [
  'id',
  'created',
  'pos',
  'posName',
  'account',
  'reference',
  'paymentMethod',
  'orderId',
  'orderNumber',
  'currency',
  'amount',
  'paid',
  'status',
  'updated',
  'owedSince',
  'givenUp',
] as const satisfies (keyof ListedJob)[]

type Format = { type: string; head: string; line: (job: ListedJob) => string }
const FORMATS: Readonly<Record<'csv' | 'ndjson', Format>> = {
  csv: {
    type: 'text/csv; charset=utf-8; header=present',
    head: csvLine(COLUMNS),
    line: (job) => csvLine(COLUMNS.map((column) => job[column])),
  },
  ndjson: { type: 'application/x-ndjson', head: '', line: (job) => `${JSON.stringify(job)}\n` },
}

/** `GET /operator/v1/jobs/export?format=csv|ndjson&…`: all jobs of a search, a page at a time. */
export const exportJobs: OperatorHandler<'exportJobs'> = async ({ request, env, isHead, query: asked }) => {
  const { format: name, ...search } = asked
  const names = namesIn(request)
  const paged = ['limit', 'after'].find((field) => names.has(field))
  if (paged !== undefined) return invalidField(paged, 'is for lists: an export has all')
  const format = FORMATS[name]
  const query = await readJobQuery(env, search, names.difference(new Set(['format'])))
  if (!query.ok) return query
  const body = await exportBody(textOf(format, pagesOf(env, query.value)))
  return ok(
    new Response(isHead ? null : body, {
      headers: {
        'content-type': format.type,
        'content-disposition': `attachment; filename="payment-jobs.${name}"`,
      },
    }),
  )
}

const pagesOf = async function* (env: Env, { id, search }: JobQuery): AsyncGenerator<ListedJob[]> {
  const job = id === null ? null : await readJob(env, id)
  if (job) yield listedJobs(env, [toRow(job)])
  if (!search) return
  for await (const rows of walkJobs(env, search)) {
    yield listedJobs(
      env,
      rows.filter((row) => row.id !== job?.id),
    )
  }
}

const textOf = async function* (
  { head, line }: Format,
  pages: AsyncGenerator<ListedJob[]>,
): AsyncGenerator<string> {
  let before = head
  for await (const page of pages) {
    yield before + page.map(line).join('')
    before = ''
  }
  yield before
}
