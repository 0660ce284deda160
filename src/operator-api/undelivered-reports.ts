import * as v from 'valibot'
import type { JobRow } from '../job/rules/job-row.ts'
import { ok } from '../platform/result.ts'
import { json } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { invalid } from '../platform/http/invalid.ts'
import { callReadableJob } from '../job/call-job.ts'
import { undeliveredJobs } from '../job-index/job-index.ts'
import { purgeCounts } from '../job-index/purges.ts'
import { Instant } from './instant.ts'
import { type ChangeHandler, changed } from './changed.ts'
import type { Retention } from './contract/job-index.ts'
import type { ReportsResent, UndeliveredReportList } from './contract/undelivered-reports.ts'

/** Reports sent again in one call: each is a call to an object. */
const PAGE = 200

const Range = v.object({ from: Instant, to: Instant })

/** `GET /operator/v1/reports/undelivered?from&to`: the jobs whose report was given up in that time, oldest first. */
export const listUndelivered: Handler = async (request, { env }) => {
  const range = rangeOf(request)
  if (!range.ok) return range
  const rows = await undeliveredJobs(env, range.value.from, range.value.to, PAGE)
  return json({
    undelivered: rows.map(({ id, pos, orderNumber, status, undeliveredAt }) => ({
      paymentJob: id,
      pos,
      orderNumber,
      status,
      givenUp: new Date(undeliveredAt ?? 0).toISOString(),
    })),
  } satisfies UndeliveredReportList)
}

/** `POST /operator/v1/reports/resend?from&to`: sends a page of those again. `next` is the `from` of the next page. */
export const resendUndelivered: ChangeHandler = async (request, { env }) => {
  const range = rangeOf(request)
  if (!range.ok) return range
  const rows = await undeliveredJobs(env, range.value.from, range.value.to, PAGE)
  const jobs = await Promise.all(rows.map(({ id }) => callReadableJob(env, id, (stub) => stub.resend())))
  const resent = jobs.filter((job) => job !== null && job !== 'unreadable').length
  return changed(json({ resent, next: nextFrom(rows) } satisfies ReportsResent), {
    subject: '',
    before: null,
    after: { resent },
  })
}

/** Rows of one instant may be cut in two by the page: it is asked for again, unless it fills the page alone. */
function nextFrom(rows: readonly JobRow[]): string | null {
  const [first, last] = [rows[0]?.undeliveredAt, rows.at(-1)?.undeliveredAt]
  if (rows.length < PAGE || typeof last !== 'number') return null
  return new Date(first === last ? last + 1 : last).toISOString()
}

/** `GET /operator/v1/retention`: how many jobs were purged, by day. */
export const showRetention: Handler = async (_, { env, config }) =>
  json({ days: config.retentionDays, forgotten: await purgeCounts(env.DB) } satisfies Retention)

function rangeOf(request: Request) {
  const parsed = v.safeParse(Range, Object.fromEntries(new URL(request.url).searchParams))
  return parsed.success ? ok(parsed.output) : invalid(parsed.issues)
}
