import { type FailingShop, writeFailingPosition } from '../contract/failing-reports.ts'
import { MINUTE, isoTime } from '../contract/timestamp.ts'
import { purgeCounts } from '../job-index/consume-rows.ts'
import { failingJobs } from '../job-index/not-well.ts'
import { jobsByTime } from '../job-index/job-index.ts'
import { callReadableJob } from '../job/call-job.ts'
import { profileById } from '../registry/profiles.ts'
import type { JobRow } from '../job/core/row.ts'
import { type ShopWithAnswer, shopsWithAnswer } from '../monitoring/failing-shops.ts'
import { reply } from '../platform/http/operations.ts'
import { type NamedPos, namedPos, posIds } from '../registry/points-of-sale.ts'
import { noPos } from './points-of-sale.ts'
import { onePosNamed, timeOf } from './read-query.ts'
import { type OperatorHandler, changed } from './serve.ts'

/** The most reports on a page: each resend is a call to a job's object. */
const PAGE = 200

export const listFailingReports: OperatorHandler<'listFailingReports'> = async ({ env, query }) => {
  const { pos: posText, mode, after = null, limit } = query
  const named = await onePosNamed(env.DB, posText)
  if (!named.ok) return named
  const failingBefore = Date.now() - MINUTE
  const counted = { failingBefore, givenUpAfter: 0 }
  const one = named.value
  const all = one !== null && mode === undefined ? [one] : await posIds(env.DB, mode)
  const of = all.filter((id) => one === null || id === one)
  const [shops, found] = await Promise.all([
    shopsWithAnswer(env, of, counted),
    failingJobs(env, { of, failingBefore, after, limit: limit + 1 }),
  ])
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const known = await namedPos(env.DB, [...new Set(page.map((job) => job.pos))])
  return reply({
    shops: shops.map(representShop),
    reports: page.map((job) =>
      represent(job, known, { owedSince: isoTime(job.failingSince), givenUp: isoTime(job.givenUpAt) }),
    ),
    next: last ? writeFailingPosition(last) : null,
  })
}

export function representShop(shop: ShopWithAnswer): FailingShop {
  const { pos, name, mode, failing, givenUp, since, lastOutcome } = shop
  return { pos, name, mode, owed: failing, givenUp, since: isoTime(since), lastOutcome }
}

type JobOfReport = Pick<JobRow, 'id' | 'pos' | 'orderNumber' | 'status'>

/** Shows a report's job, its shop and its `times`; a removed shop has its id as its name, and live mode. */
function represent<Times extends object>(
  { id, pos, orderNumber, status }: JobOfReport,
  known: ReadonlyMap<string, NamedPos>,
  times: Times,
) {
  const { name, mode } = known.get(pos) ?? { name: pos, mode: 'live' as const }
  return { paymentJob: id, pos, name, mode, orderNumber, status, ...times }
}

export const listUndeliveredReports: OperatorHandler<'listUndeliveredReports'> = async (asked) => {
  const { env, config, query } = asked
  const time = timeOf(query, config.timeZone)
  if (!time.ok) return time
  const { from = 0, to = Date.now() } = time.value
  const among = query.mode && (await posIds(env.DB, query.mode))
  const rows = await jobsByTime(env, 'givenUpAt', { from, to, limit: PAGE, among })
  const known = await namedPos(env.DB, [...new Set(rows.map(({ pos }) => pos))])
  return reply({
    undelivered: rows.map((row) => represent(row, known, { givenUp: isoTime(row.givenUpAt ?? 0) })),
  })
}

export const resendUndeliveredReports: OperatorHandler<'resendUndeliveredReports'> = async (asked) => {
  const { env, query } = asked
  const rows = await jobsByTime(env, 'givenUpAt', { from: query.from, to: query.to, limit: PAGE })
  const resent = await sendAgain(env, rows)
  return changed({ resent, next: nextFrom(rows) }, { subject: '', after: { resent } })
}

/** Sends reports again, and counts the jobs that could be read. */
async function sendAgain(env: Env, rows: readonly { id: string }[]): Promise<number> {
  const jobs = await Promise.all(
    rows.map(({ id }) => callReadableJob(env, id, (stub) => stub.tell({ do: 'send-report-again' }))),
  )
  return jobs.filter((job) => job !== null && job !== 'unreadable').length
}

/**
 * Sends a page of a shop's reports again. A report that fails once more counts as failing from then
 * on, after `until`, so no later page has it again.
 */
export const resendReportsOfShop: OperatorHandler<'resendReportsOfShop'> = async ({ env, params, query }) => {
  const { id: pos } = params
  const { until, after = null } = query
  if (!(await profileById(env.DB, pos))) return noPos(pos)
  const found = await failingJobs(env, { of: [pos], failingBefore: until, after, limit: PAGE + 1 })
  const page = found.slice(0, PAGE).filter(({ failingSince }) => failingSince < until)
  const last = found.length > PAGE ? page.at(-1) : undefined
  const resent = await sendAgain(env, page)
  const next = last ? writeFailingPosition(last) : null
  return changed({ resent, next }, { subject: pos, after: { resent } })
}

/**
 * Returns the `from` of the next page. A page may end between rows of the same instant, so the next
 * page begins with that instant again, unless one instant fills the whole page.
 */
function nextFrom(rows: readonly JobRow[]): string | null {
  const [first, last] = [rows[0]?.givenUpAt, rows.at(-1)?.givenUpAt]
  if (rows.length < PAGE || typeof last !== 'number') return null
  return isoTime(first === last ? last + 1 : last)
}

export const showRetention: OperatorHandler<'showRetention'> = async ({ env, config }) =>
  reply({ days: config.retentionDays, forgotten: await purgeCounts(env.DB) })
