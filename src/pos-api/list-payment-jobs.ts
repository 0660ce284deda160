import { Status } from '../contract/status.ts'
import * as v from 'valibot'
import type { JobRow } from '../job/rules/job-row.ts'
import { formatAmount } from '../contract/money.ts'
import { formatMicros } from '../contract/timestamp.ts'
import { invalid, invalidField } from '../platform/http/invalid.ts'
import { PageLimit } from '../platform/http/page-limit.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import { type JobPlace, findJobs } from '../job-index/find-jobs.ts'
import type { PosHandler } from './authenticate.ts'
import type { ListedPaymentJob, PaymentJobList } from './contract/job-list.ts'
import { readPlace, writePlace } from './job-place.ts'
import { QUOTAS } from './quotas.ts'
import { readSentTime } from './sent-time.ts'
import { signedJson } from './signed.ts'

/** Seconds after which a change of a job is in the index as a rule: its queue waits two for more rows. */
const LAG_SECONDS = 5

const TIME = 'must be a time such as 2026-01-31T10:00:00Z, or a date such as 2026-01-31'

function Time(bound: 'from' | 'to') {
  return v.pipe(
    v.string(),
    v.transform((text) => readSentTime(text, bound)),
    v.number(TIME),
  )
}

const Query = v.object({
  order_number: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have at most 255 characters'),
    ),
  ),
  from: v.optional(Time('from')),
  to: v.optional(Time('to')),
  status: v.optional(v.picklist(Status.options, `must be one of ${Status.options.join(', ')}`)),
  limit: PageLimit,
  after: v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }): JobPlace => {
        const place = readPlace(dataset.value)
        if (place) return place
        addIssue({ message: 'must be the `next` of an answer of this list' })
        return NEVER
      }),
    ),
  ),
})

/**
 * `GET /v2/paymentjobs?order_number&from&to&status&limit&after`: the jobs of this point of sale as the index has them, newest
 * first. The index lags by seconds: a job that was just made is read by its id.
 */
export const listPaymentJobs: PosHandler<object> = async (request, { env }, profile) => {
  const counted = await countRequest(env.SEARCH_PER_POS, QUOTAS.searchPerPos, profile.pos)
  if (!counted.ok) return counted
  const query = v.safeParse(Query, Object.fromEntries(new URL(request.url).searchParams))
  if (!query.success) return invalid(query.issues)
  const { order_number: orderNumber, from = 0, to = Number.MAX_SAFE_INTEGER, status, limit } = query.output
  if (from > to) return invalidField('from', 'must not be later than `to`')
  const { rows, next } = await findJobs(env, {
    keys: orderNumber === undefined ? [] : [{ is: 'orderNumber', text: orderNumber }],
    pos: profile.pos,
    filter: { statuses: status && [status] },
    from,
    to,
    after: query.output.after ?? null,
    limit,
  })
  const list: PaymentJobList = {
    paymentJobs: rows.map(represent),
    next: next && writePlace(next),
    lagSeconds: LAG_SECONDS,
  }
  return signedJson(env, profile, 200, list)
}

function represent(row: JobRow): ListedPaymentJob {
  return {
    paymentJob: row.id,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    created: formatMicros(row.created),
    lastUpdate: formatMicros(row.updated),
    currency: row.currency,
    amount: formatAmount(row.amount, row.currency),
    amountDue: formatAmount(Math.max(row.amount - row.paid, 0), row.currency),
    amountPaid: formatAmount(row.paid, row.currency),
    paymentMethod: row.paymentMethod,
    status: row.status,
  }
}
