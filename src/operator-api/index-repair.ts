import * as v from 'valibot'
import { JobRow, toRow } from '../domain/job-row.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { callJob } from '../payment-job/call-job.ts'
import { rowsOf, writeRows } from '../storage/d1/job-index.ts'
import { directoryDays, directoryPage } from '../storage/objects/job-directory.ts'
import type { IndexDays, IndexPage } from './contract.ts'

/** Jobs looked at in one call: each is a call to its object, of which a request may make a thousand. */
const PAGE = 200

/** `GET /operator/v1/index/days`: the days that jobs were created on. */
export const listDays: Handler = async (_, { env }) =>
  json({ days: await directoryDays(env) } satisfies IndexDays)

/** `POST /operator/v1/index/{day}/rebuild?after=`: writes the rows of a page of jobs from their objects. */
export const rebuildIndex: Handler<{ day: string }> = async (request, { env, params }) => {
  const { rows, next } = await rowsThatShouldBe(request, env, params.day)
  await writeRows(env, rows)
  return json({ jobs: rows.length, wrong: [], next } satisfies IndexPage)
}

/** `GET /operator/v1/index/{day}/verify?after=`: the jobs of a page whose row is missing or differs from the object. */
export const verifyIndex: Handler<{ day: string }> = async (request, { env, params }) => {
  const { rows, next } = await rowsThatShouldBe(request, env, params.day)
  const indexed = new Map((await rowsOf(env, rows)).map((row) => [row.id, row]))
  const wrong = rows.filter((row) => !sameRow(row, indexed.get(row.id))).map(({ id }) => id)
  return json({ jobs: rows.length, wrong, next } satisfies IndexPage)
}

/** The rows that a page of the day's jobs should have. A purged job has none. */
const rowsThatShouldBe = async (
  request: Request,
  env: Env,
  day: string,
): Promise<{ rows: JobRow[]; next: string | null }> => {
  const after = new URL(request.url).searchParams.get('after')
  const { ids, next } = await directoryPage(env, day, after, PAGE)
  const jobs = await Promise.all([...new Set(ids)].map((id) => callJob(env, id, (stub) => stub.read())))
  return { rows: jobs.filter((job) => job !== null).map(toRow), next }
}

/** Parsing puts the members in one order, so that equal rows are equal texts. */
const textOf = (row: JobRow): string => JSON.stringify(v.parse(JobRow, row))

const sameRow = (row: JobRow, other: JobRow | undefined): boolean =>
  other !== undefined && textOf(row) === textOf(other)
