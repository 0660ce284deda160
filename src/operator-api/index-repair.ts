import { HOUR } from '../contract/timestamp.ts'
import { directoryDays, directoryPage } from '../job-index/job-directory.ts'
import { replaceRows, rowsOf } from '../job-index/job-index.ts'
import { isRightRow, recountJobs, wrongHours } from '../job-index/recount-jobs.ts'
import { callReadableJob } from '../job/call-job.ts'
import { type JobRow, rowOf } from '../job/core/row.ts'
import { reply } from '../platform/http/operations.ts'
import { type OperatorHandler, changed } from './serve.ts'

/**
 * Jobs looked at in one call: each is a call to its object, of which a request may make a thousand.
 */
const PAGE = 200

export const listIndexDays: OperatorHandler<'listIndexDays'> = async ({ env }) =>
  reply({ days: await directoryDays(env) })

/**
 * Writes rows whatever sequence stands there, and reads these jobs again after their rows: only a
 * fault can then put a row ahead of its job. The last page of a day counts its figures again.
 */
export const rebuildIndexDay: OperatorHandler<'rebuildIndexDay'> = async ({ env, params, query }) => {
  const { rows, unreadable, next } = await jobsOfDay(env, params.day, query.after ?? null)
  const { wrong, found } = await wrongRows(env, rows)
  await replaceRows(env, found, (await newestRows(env, wrong)).rows)
  if (next === null) await recountJobs(env, params.day)
  return changed(
    { jobs: rows.length, wrong: unreadable, wrongHours: [], next },
    {
      subject: params.day,
      before: { wrong: wrong.length },
      after: { wrong: 0, unreadable: unreadable.length },
    },
  )
}

export const verifyIndexDay: OperatorHandler<'verifyIndexDay'> = async ({ env, params, query }) => {
  const { rows, unreadable, next } = await jobsOfDay(env, params.day, query.after ?? null)
  const { wrong } = await wrongRows(env, rows)
  const jobs = rows.length + unreadable.length
  // The figures of the day are looked at when all its rows have been.
  const hours = next === null ? await wrongHours(env, params.day) : []
  return reply({
    jobs,
    wrong: [...unreadable, ...wrong],
    wrongHours: hours.map((hour) => new Date(hour * HOUR).toISOString().replace('.000Z', 'Z')),
    next,
  })
}

/**
 * The ids of those whose row is missing or wrong, and what was found in place of the wrong ones.
 */
async function wrongRows(env: Env, rows: readonly JobRow[]): Promise<{ wrong: string[]; found: JobRow[] }> {
  const indexed = new Map((await rowsOf(env, rows)).map((row) => [row.id, row]))
  const wrong = rows
    .filter((truth) => {
      const row = indexed.get(truth.id)
      return row === undefined || !isRightRow(row, truth)
    })
    .map(({ id }) => id)
  return { wrong, found: wrong.flatMap((id) => indexed.get(id) ?? []) }
}

/** The rows that jobs should have, and the ids of the jobs that this release cannot read. */
type ExpectedRows = { rows: JobRow[]; unreadable: string[] }

/** Those of a page of the day's jobs. */
async function jobsOfDay(
  env: Env,
  day: string,
  after: string | null,
): Promise<ExpectedRows & { next: string | null }> {
  const { ids, next } = await directoryPage(env, day, after, PAGE)
  return { ...(await newestRows(env, [...new Set(ids)])), next }
}

/** The rows of jobs as their objects have them now. A purged job has none. */
async function newestRows(env: Env, ids: readonly string[]): Promise<ExpectedRows> {
  const jobs = await Promise.all(
    ids.map(async (id) => ({ id, job: await callReadableJob(env, id, (stub) => stub.read()) })),
  )
  return {
    rows: jobs.flatMap(({ job }) => (job === null || job === 'unreadable' ? [] : [rowOf(job)])),
    unreadable: jobs.flatMap(({ id, job }) => (job === 'unreadable' ? [id] : [])),
  }
}
