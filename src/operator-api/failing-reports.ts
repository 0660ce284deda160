import { MINUTE } from '../contract/timestamp.ts'
import { ok } from '../contract/result.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { shopsOwed, type ShopWithAnswer } from '../monitoring/failing-shops.ts'
import { type OwedJob, owedJobs } from '../job-index/not-well.ts'
import { namesOfPos } from '../registry/points-of-sale.ts'
import { type FailingReport, type FailingShop, writeFailingPosition } from '../contract/failing-reports.ts'
import type { OperatorHandler } from './handler.ts'
import { onePosNamed } from './pos-named.ts'
import { reply } from '../platform/http/operations.ts'

/** Reports on a page. */
const PAGE = 200

/**
 * `GET /operator/v1/reports/failing?after&pos`: the reports that have been owed for more than a
 * minute or were given up, oldest first, and the shops they are owed to.
 */
export const listFailing: OperatorHandler<'listFailingReports'> = async ({ env, query }) => {
  const { pos: posText, after = null } = query
  const named = posText === undefined ? ok(null) : await onePosNamed(env.DB, posText)
  if (!named.ok) return invalidField('pos', named.error)
  const pos = named.value
  const owedBefore = Date.now() - MINUTE
  const [shops, found] = await Promise.all([
    shopsOwed(env, pos, { owedBefore, givenUpAfter: 0 }),
    owedJobs(env, { pos, owedBefore, after, limit: PAGE + 1 }),
  ])
  const page = found.slice(0, PAGE)
  const last = found.length > PAGE ? page.at(-1) : undefined
  const names = await namesOfPos(env.DB, [...new Set(page.map((job) => job.pos))])
  return reply({
    shops: shops.map(representShop),
    reports: page.map((job) => represent(job, names.get(job.pos) ?? job.pos)),
    next: last ? writeFailingPosition(last) : null,
  })
}

export function representShop(shop: ShopWithAnswer): FailingShop {
  return {
    pos: shop.pos,
    name: shop.name,
    owed: shop.owed,
    givenUp: shop.givenUp,
    since: new Date(shop.since).toISOString(),
    lastOutcome: shop.lastOutcome,
  }
}

function represent(job: OwedJob, name: string): FailingReport {
  return {
    paymentJob: job.id,
    pos: job.pos,
    name,
    orderNumber: job.orderNumber,
    status: job.status,
    owedSince: new Date(job.owedSince).toISOString(),
    givenUp: job.undeliveredAt === null ? null : new Date(job.undeliveredAt).toISOString(),
  }
}
