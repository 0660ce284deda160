import type { ListedJob } from '../contract/jobs.ts'
import { ok } from '../contract/result.ts'
import { walkJobs } from '../job-index/find-jobs.ts'
import { readJob } from '../job/call-job.ts'
import { rowOf } from '../job/core/row.ts'
import { log } from '../platform/log.ts'
import { type JobQuery, listedJobs, readJobQuery } from './job-search.ts'
import type { OperatorHandler } from './serve.ts'

/**
 * Where a spreadsheet may begin a cell: also at a semicolon, a tab or a line, as it does in countries
 * with a decimal comma.
 */
const CELL_BEGINS = /(?<=[;\t\v\f\r\n\u0085\u2028\u2029])/u
/** Some spreadsheets drop what cannot be seen before a formula, and quotes. */
const DROPPED = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"]+/u

/** Whether a spreadsheet would take a text for a formula: also one in wide or small signs (NFKC). */
function isFormula(text: string): boolean {
  return /^[=+\-\u2212@]/.test(text.normalize('NFKC').replace(DROPPED, ''))
}

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string | null): string {
  // An apostrophe makes it a text: shops choose order numbers.
  const parts = (text ?? '').split(CELL_BEGINS).map((part) => (isFormula(part) ? `'${part}` : part))
  const safe = parts.join('').replace(/^(?=[\t\r\n])/, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The body of an export, whose texts are made when the client has taken those before: it holds one
 * of them. The first is there before the answer begins, so what fails by then is said with a
 * status. A fault after that breaks the answer off: a client never takes a part for the whole.
 */
export async function exportBody(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  let first: IteratorResult<string, unknown> | null = await texts.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const { value, done } = first ?? (await texts.next())
            first = null
            if (done === true) return controller.close()
            if (value !== '') return controller.enqueue(encoder.encode(value))
          }
        } catch (error) {
          log.fault('export.broken-off', error)
          throw error
        }
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

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

export const exportJobs: OperatorHandler<'exportJobs'> = async ({ env, isHead, query: asked }) => {
  const { format: name, ...search } = asked
  const format = FORMATS[name]
  const query = await readJobQuery(env, search)
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
  if (job) yield listedJobs(env, [rowOf(job)])
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
