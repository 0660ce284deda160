import * as v from 'valibot'
import type { JobRow } from '../domain/job-row.ts'
import type { Answer } from '../http/routes.ts'
import { invalid } from '../http/invalid.ts'
import { callJob } from '../payment-job/call-job.ts'
import { undeliveredJobs } from '../storage/d1/job-index.ts'
import { purgeCounts } from '../storage/d1/purges.ts'
import { Instant } from './instant.ts'

/** Reports sent again in one call: each is a call to an object. */
const PAGE = 200

const Range = v.object({ from: Instant, to: Instant })

/** `GET /operator/v1/reports/undelivered?from&to`: the jobs whose report was given up in that time, oldest first. */
export const listUndelivered = async (request: Request, env: Env): Promise<Answer> => {
  const range = rangeOf(request)
  if ('refused' in range) return range
  const rows = await undeliveredJobs(env, range.from, range.to, PAGE)
  return Response.json({
    undelivered: rows.map(({ id, pos, orderNumber, status, undeliveredAt }) => ({
      paymentJob: id,
      pos,
      orderNumber,
      status,
      givenUp: new Date(undeliveredAt ?? 0).toISOString(),
    })),
  })
}

/** `POST /operator/v1/reports/resend?from&to`: sends a page of those again. `next` is the `from` of the next page. */
export const resendUndelivered = async (request: Request, env: Env): Promise<Answer> => {
  const range = rangeOf(request)
  if ('refused' in range) return range
  const rows = await undeliveredJobs(env, range.from, range.to, PAGE)
  const jobs = await Promise.all(rows.map(({ id }) => callJob(env, id, (stub) => stub.resend())))
  return Response.json({ resent: jobs.filter((job) => job !== null).length, next: nextFrom(rows) })
}

/** Rows of one moment may be cut in two by the page: it is asked for again, unless it fills the page alone. */
const nextFrom = (rows: readonly JobRow[]): string | null => {
  const [first, last] = [rows[0]?.undeliveredAt, rows.at(-1)?.undeliveredAt]
  if (rows.length < PAGE || typeof last !== 'number') return null
  return new Date(first === last ? last + 1 : last).toISOString()
}

/** `GET /operator/v1/retention`: how many jobs were forgotten, by day. */
export const showRetention = async (_: Request, env: Env): Promise<Answer> =>
  Response.json({ days: Number(env.RETENTION_DAYS), forgotten: await purgeCounts(env.DB) })

const rangeOf = (request: Request) => {
  const parsed = v.safeParse(Range, Object.fromEntries(new URL(request.url).searchParams))
  return parsed.success ? parsed.output : invalid(parsed.issues)
}
