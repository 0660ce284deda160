import type { JobRow } from '../job/core/row.ts'
import { callReadableJob } from '../job/call-job.ts'
import { undeliveredJobs } from '../job-index/job-index.ts'
import { purgeCounts } from '../job-index/consume-rows.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/** Reports sent again in one call: each is a call to an object. */
const PAGE = 200

/**
 * `GET /operator/v1/reports/undelivered?from&to`: the jobs whose report was given up in that time,
 * oldest first.
 */
export const listUndelivered: OperatorHandler<'listUndeliveredReports'> = async ({ env, query }) => {
  const rows = await undeliveredJobs(env, query.from, query.to, PAGE)
  return reply({
    undelivered: rows.map(({ id, pos, orderNumber, status, undeliveredAt }) => ({
      paymentJob: id,
      pos,
      orderNumber,
      status,
      givenUp: new Date(undeliveredAt ?? 0).toISOString(),
    })),
  })
}

/**
 * `POST /operator/v1/reports/resend?from&to`: sends a page of those again. `next` is the `from` of
 * the next page.
 */
export const resendUndelivered: OperatorHandler<'resendUndeliveredReports'> = async ({ env, query }) => {
  const rows = await undeliveredJobs(env, query.from, query.to, PAGE)
  const jobs = await Promise.all(
    rows.map(({ id }) => callReadableJob(env, id, (stub) => stub.tell({ do: 'send-report-again' }))),
  )
  const resent = jobs.filter((job) => job !== null && job !== 'unreadable').length
  return changed(
    { resent, next: nextFrom(rows) },
    {
      subject: '',
      before: null,
      after: { resent },
    },
  )
}

/**
 * Rows of one instant may be cut in two by the page: it is asked for again, unless it fills the
 * page alone.
 */
function nextFrom(rows: readonly JobRow[]): string | null {
  const [first, last] = [rows[0]?.undeliveredAt, rows.at(-1)?.undeliveredAt]
  if (rows.length < PAGE || typeof last !== 'number') return null
  return new Date(first === last ? last + 1 : last).toISOString()
}

/** `GET /operator/v1/retention`: how many jobs were purged, by day. */
export const showRetention: OperatorHandler<'showRetention'> = async ({ env, config }) =>
  reply({ days: config.retentionDays, forgotten: await purgeCounts(env.DB) })
