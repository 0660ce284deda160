import * as v from 'valibot'
import { isJobId } from '../domain/job-id.ts'
import type { JobRow } from '../domain/job-row.ts'
import { formatAmount } from '../domain/money.ts'
import { formatMicros, parseMicros } from '../domain/timestamp.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { invalid } from '../http/invalid.ts'
import { type JobPlace, findJobs } from '../storage/d1/find-jobs.ts'
import { Instant } from './instant.ts'
import type { JobList, ListedJob } from './contract/jobs.ts'

const LIMIT = 'must be a number from 1 to 200'

/** `created` and `id` of a listed job, as they are shown, with a dash between: the page after it begins there. */
const After = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): JobPlace => {
    const [, time = '', id = ''] = /^([^Z]*Z)-(.*)$/.exec(dataset.value) ?? []
    const created = parseMicros(time)
    if (created !== null && isJobId(id)) return { created, id }
    addIssue({ message: 'must be `created` and `id` of a job that was listed, with a dash between' })
    return NEVER
  }),
)

const Query = v.object({
  order_number: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty'))),
  pos: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be the id of a point of sale'))),
  from: v.optional(Instant),
  to: v.optional(Instant),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, LIMIT),
      v.transform(Number),
      v.minValue(1, LIMIT),
      v.maxValue(200, LIMIT),
    ),
    '50',
  ),
  after: v.optional(After),
})

/**
 * `GET /operator/v1/jobs?order_number&pos&from&to&limit&after`: jobs as the index has them, newest first; `to` is not
 * in the time. `next` is the `after` of the next page, or null at the end.
 */
export const listJobs: Handler = async (request, { env }) => {
  const query = v.safeParse(Query, Object.fromEntries(new URL(request.url).searchParams))
  if (!query.success) return invalid(query.issues)
  const { order_number: orderNumber = null, pos = null, from, to, limit, after = null } = query.output
  const found = await findJobs(env, {
    orderNumber,
    pos,
    from: from === undefined ? 0 : from * 1000,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : to * 1000,
    after,
    limit: limit + 1,
  })
  const jobs = found.slice(0, limit).map(represent)
  const last = jobs.at(-1)
  return json({
    jobs,
    next: last && found.length > limit ? `${last.created}-${last.id}` : null,
  } satisfies JobList)
}

const represent = (row: JobRow): ListedJob => ({
  id: row.id,
  created: formatMicros(row.created),
  pos: row.pos,
  account: row.account,
  paymentMethod: row.paymentMethod,
  orderId: row.orderId,
  orderNumber: row.orderNumber,
  currency: row.currency,
  amount: formatAmount(row.amount, row.currency),
  paid: formatAmount(row.paid, row.currency),
  status: row.status,
  updated: formatMicros(row.updated),
})
