import * as v from 'valibot'
import { isJobId } from '../contract/job-id.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { ok } from '../platform/result.ts'
import { invalid, invalidField } from '../platform/http/invalid.ts'
import { json } from '../platform/http/respond.ts'
import { type ShopWithAnswer, shopsOwed } from '../monitoring/failing-shops.ts'
import { type OwedJob, type OwedPlace, owedJobs } from '../job-index/failing-reports.ts'
import { namesOfPos } from '../registry/points-of-sale.ts'
import type { FailingReport, FailingReports, FailingShop } from './contract/health.ts'
import type { OperatorHandler } from './permission.ts'
import { onePosNamed } from './pos-named.ts'

/** Reports on a page. */
const PAGE = 200

/** When the report was owed first (ms), when its job was created (µs), and the id of the job, with dots between. */
const After = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): OwedPlace => {
    const [, owedSince, created, id = ''] = /^(\d{1,15})\.(\d{1,16})\.(.+)$/.exec(dataset.value) ?? []
    if (isJobId(id)) return { owedSince: Number(owedSince), created: Number(created), id }
    addIssue({ message: 'must be the `next` of a page before' })
    return NEVER
  }),
)

const Query = v.object({
  pos: v.optional(v.string()),
  after: v.optional(After),
})

/**
 * `GET /operator/v1/reports/failing?after&pos`: the reports that have been owed for more than a minute or were given up, oldest first, and
 * the shops they are owed to.
 */
export const listFailing: OperatorHandler<object> = async (request, { env }) => {
  const query = v.safeParse(Query, Object.fromEntries(new URL(request.url).searchParams))
  if (!query.success) return invalid(query.issues)
  const { pos: posText, after = null } = query.output
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
  return json({
    shops: shops.map(representShop),
    reports: page.map((job) => represent(job, names.get(job.pos) ?? job.pos)),
    next: last ? `${last.owedSince}.${last.created}.${last.id}` : null,
  } satisfies FailingReports)
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
