import { forgetJobs } from './consume-rows.ts'
import { addToDirectory, directoryPage, missingInDirectory } from './job-directory.ts'
import { replaceRows, rowsOf } from './job-index.ts'
import { isRightRow, rowsOfDay } from './recount-jobs.ts'
import { callReadableJob } from '../job/call-job.ts'
import { type JobRow, rowOf } from '../job/core/row.ts'

/** The most jobs on a page: the check calls the object of each, and a request may make a thousand calls. */
const PAGE = 200

/**
 * The position at which the check of a day, after its directory, begins with its rows. Those show
 * which jobs the directory lacks.
 */
const ROWS = 'rows'
const AFTER_ROW = /^rows:(\d+):([0-9a-f-]{36}):(.*)$/

/**
 * The findings on a page of a day. `jobs` counts each job once, even while a rebuild writes rows: the
 * jobs of the directory there, and only the others by their rows.
 */
type CheckedPage = {
  jobs: number
  unreadable: string[]
  /** The ids of jobs in the directory whose row is missing or wrong, and the wrong rows. */
  wrong: string[]
  found: JobRow[]
  /** Rows of deleted jobs, and rows of jobs that the directory lacks. */
  orphans: JobRow[]
  unlisted: JobRow[]
  next: string | null
}

export async function checkPage(env: Env, day: string, after: string | undefined): Promise<CheckedPage> {
  if (after?.startsWith(ROWS)) return checkRows(env, day, after)
  const { ids, next } = await directoryPage(env, day, after ?? null, PAGE)
  const { rows, unreadable } = await newestRows(env, ids)
  const { wrong, found } = await wrongRows(env, rows)
  const others =
    next === null ? await checkRows(env, day, ROWS) : { jobs: 0, orphans: [], unlisted: [], next }
  return { ...others, jobs: rows.length + unreadable.length + others.jobs, unreadable, wrong, found }
}

/** Finds rows of jobs that were deleted, or that the directory of their day lacks. */
async function checkRows(env: Env, day: string, after: string): Promise<CheckedPage> {
  const [, created, id = '', pos = ''] = AFTER_ROW.exec(after) ?? []
  const begun = created === undefined ? null : { created: Number(created), id, pos }
  const rows = await rowsOfDay(env, day, begun, PAGE)
  const ids = rows.map((row) => row.id)
  const missing = new Set(await missingInDirectory(env, day, ids))
  const jobs = await Promise.all(rows.map((row) => callReadableJob(env, row.id, (stub) => stub.read())))
  const last = rows.at(-1)
  const unlisted = rows.filter((row, at) => jobs[at] !== null && missing.has(row.id))
  return {
    jobs: unlisted.length,
    unreadable: [],
    wrong: [],
    found: [],
    orphans: rows.filter((_, at) => jobs[at] === null),
    unlisted,
    next: last && rows.length === PAGE ? `${ROWS}:${last.created}:${last.id}:${last.pos}` : null,
  }
}

/**
 * Adds jobs that the directory lacks, and replaces the wrong rows of a page, whatever their sequence.
 * It reads the jobs again after their rows, so only a fault can make a row newer than its job.
 */
export async function repairPage(env: Env, { wrong, found, unlisted }: CheckedPage): Promise<void> {
  await addToDirectory(env, unlisted)
  const { rows, unreadable } = await newestRows(env, wrong)
  const isRead = new Set(rows.map(({ id }) => id))
  // A job may be purged between the check and now.
  const purged = found.filter(({ id }) => !isRead.has(id) && !unreadable.includes(id))
  await forgetJobs(env, purged)
  const replaced = found.filter(({ id }) => isRead.has(id))
  await replaceRows(env, replaced, rows)
}

/** Returns the ids of jobs whose row is missing or wrong, and the wrong rows. */
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

/** The rows that jobs should have, and the ids of jobs that this release cannot read. */
type ExpectedRows = { rows: JobRow[]; unreadable: string[] }

/** Returns the rows that jobs should have now, by their objects. A purged job has none. */
async function newestRows(env: Env, ids: readonly string[]): Promise<ExpectedRows> {
  const jobs = await Promise.all(
    ids.map(async (id) => ({ id, job: await callReadableJob(env, id, (stub) => stub.read()) })),
  )
  return {
    rows: jobs.flatMap(({ job }) => (job === null || job === 'unreadable' ? [] : [rowOf(job)])),
    unreadable: jobs.flatMap(({ id, job }) => (job === 'unreadable' ? [id] : [])),
  }
}
