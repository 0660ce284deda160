import { type FailingReport, type FailingShop, writeFailingPosition } from '../contract/failing-reports.ts'
import { MINUTE, isoTime } from '../contract/timestamp.ts'
import { purgeCounts } from '../job-index/consume-rows.ts'
import { type OwedJob, owedJobs } from '../job-index/not-well.ts'
import { undeliveredJobs } from '../job-index/job-index.ts'
import { callReadableJob } from '../job/call-job.ts'
import { profileById } from '../registry/profiles.ts'
import type { JobRow } from '../job/core/row.ts'
import { type ShopWithAnswer, shopsOwed } from '../monitoring/failing-shops.ts'
import { reply } from '../platform/http/operations.ts'
import { namedPos } from '../registry/points-of-sale.ts'
import { noPos } from './points-of-sale.ts'
import { onePosNamed, timeOf } from './asked.ts'
import { type OperatorHandler, changed } from './serve.ts'

/** Reports on a page. To send one again is a call to its object. */
const PAGE = 200

export const listFailingReports: OperatorHandler<'listFailingReports'> = async ({ env, query }) => {
  const { pos: posText, after = null, limit } = query
  const named = await onePosNamed(env.DB, posText)
  if (!named.ok) return named
  const pos = named.value
  const owedBefore = Date.now() - MINUTE
  const [shops, found] = await Promise.all([
    shopsOwed(env, pos, { owedBefore, givenUpAfter: 0 }),
    owedJobs(env, { pos, owedBefore, after, limit: limit + 1 }),
  ])
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const names = await namedPos(env.DB, [...new Set(page.map((job) => job.pos))])
  return reply({
    shops: shops.map(representShop),
    reports: page.map((job) => represent(job, names.get(job.pos)?.name ?? job.pos)),
    next: last ? writeFailingPosition(last) : null,
  })
}

export function representShop(shop: ShopWithAnswer): FailingShop {
  const { pos, name, owed, givenUp, since, lastOutcome } = shop
  return { pos, name, owed, givenUp, since: isoTime(since), lastOutcome }
}

function represent(job: OwedJob, name: string): FailingReport {
  return {
    paymentJob: job.id,
    pos: job.pos,
    name,
    orderNumber: job.orderNumber,
    status: job.status,
    owedSince: isoTime(job.owedSince),
    givenUp: isoTime(job.undeliveredAt),
  }
}

export const listUndeliveredReports: OperatorHandler<'listUndeliveredReports'> = async ({
  env,
  config,
  query,
}) => {
  const time = timeOf(query, config.timeZone)
  if (!time.ok) return time
  const { from = 0, to = Date.now() } = time.value
  const rows = await undeliveredJobs(env, from, to, PAGE)
  return reply({
    undelivered: rows.map(({ id, pos, orderNumber, status, undeliveredAt }) => ({
      paymentJob: id,
      pos,
      orderNumber,
      status,
      givenUp: isoTime(undeliveredAt ?? 0),
    })),
  })
}

export const resendUndeliveredReports: OperatorHandler<'resendUndeliveredReports'> = async (asked) => {
  const { env, query } = asked
  const rows = await undeliveredJobs(env, query.from, query.to, PAGE)
  const resent = await sendAgain(env, rows)
  return changed({ resent, next: nextFrom(rows) }, { subject: '', after: { resent } })
}

/** How many of the jobs took it: one that is gone, or cannot be read, does not. */
async function sendAgain(env: Env, rows: readonly { id: string }[]): Promise<number> {
  const jobs = await Promise.all(
    rows.map(({ id }) => callReadableJob(env, id, (stub) => stub.tell({ do: 'send-report-again' }))),
  )
  return jobs.filter((job) => job !== null && job !== 'unreadable').length
}

/**
 * A report that fails once more is owed from then on, which is after `until`: no page has it a
 * second time.
 */
export const resendReportsOfShop: OperatorHandler<'resendReportsOfShop'> = async ({ env, params, query }) => {
  const { id: pos } = params
  const { until, after = null } = query
  if (!(await profileById(env.DB, pos))) return noPos(pos)
  const found = await owedJobs(env, { pos, owedBefore: until, after, limit: PAGE + 1 })
  const page = found.slice(0, PAGE).filter(({ owedSince }) => owedSince < until)
  const last = found.length > PAGE ? page.at(-1) : undefined
  const resent = await sendAgain(env, page)
  const next = last ? writeFailingPosition(last) : null
  return changed({ resent, next }, { subject: pos, after: { resent } })
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

export const showRetention: OperatorHandler<'showRetention'> = async ({ env, config }) =>
  reply({ days: config.retentionDays, forgotten: await purgeCounts(env.DB) })
