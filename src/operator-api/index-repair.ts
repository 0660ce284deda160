import * as v from 'valibot'
import { JobRow, toRow } from '../domain/job-row.ts'
import { type Result, ok } from '../domain/result.ts'
import { invalidField } from '../http/invalid.ts'
import type { Refusal } from '../http/refusal.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { callReadableJob } from '../payment-job/call-job.ts'
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
  const page = await rowsThatShouldBe(request, env, params.day)
  if (!page.ok) return page
  const { rows, unreadable, next } = page.value
  await writeRows(env, rows)
  return json({ jobs: rows.length, wrong: unreadable, next } satisfies IndexPage)
}

/** `GET /operator/v1/index/{day}/verify?after=`: the jobs of a page whose row is missing or differs from the object. */
export const verifyIndex: Handler<{ day: string }> = async (request, { env, params }) => {
  const page = await rowsThatShouldBe(request, env, params.day)
  if (!page.ok) return page
  const { rows, unreadable, next } = page.value
  const indexed = new Map((await rowsOf(env, rows)).map((row) => [row.id, row]))
  const wrong = rows.filter((row) => !sameRow(row, indexed.get(row.id))).map(({ id }) => id)
  return json({
    jobs: rows.length + unreadable.length,
    wrong: [...unreadable, ...wrong],
    next,
  } satisfies IndexPage)
}

type ExpectedRows = { rows: JobRow[]; unreadable: string[]; next: string | null }

/** The rows that a page of the day's jobs should have, and the jobs that cannot be read. A purged job has no row. */
const rowsThatShouldBe = async (
  request: Request,
  env: Env,
  day: string,
): Promise<Result<ExpectedRows, Refusal>> => {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return invalidField('day', 'must be a day such as 2026-01-31')
  const after = new URL(request.url).searchParams.get('after')
  const { ids, next } = await directoryPage(env, day, after, PAGE)
  const jobs = await Promise.all(
    [...new Set(ids)].map(async (id) => ({ id, job: await callReadableJob(env, id, (stub) => stub.read()) })),
  )
  return ok({
    rows: jobs.flatMap(({ job }) => (job === null || job === 'unreadable' ? [] : [toRow(job)])),
    unreadable: jobs.flatMap(({ id, job }) => (job === 'unreadable' ? [id] : [])),
    next,
  })
}

/** Parsing puts the members in one order, so that equal rows are equal texts. */
const textOf = (row: JobRow): string => JSON.stringify(v.parse(JobRow, row))

const sameRow = (row: JobRow, other: JobRow | undefined): boolean =>
  other !== undefined && textOf(row) === textOf(other)
