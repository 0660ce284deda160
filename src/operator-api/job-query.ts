import { Status } from '../contract/status.ts'
import * as v from 'valibot'
import { isCurrency } from '../contract/currency.ts'
import { isJobId, parseJobId } from '../contract/job-id.ts'
import type { JobKey } from '../job/rules/job-row.ts'
import { parseAmount } from '../contract/money.ts'
import { type Result, ok } from '../platform/result.ts'
import { parseMicros } from '../contract/timestamp.ts'
import { invalid, invalidField } from '../platform/http/invalid.ts'
import { PageLimit } from '../platform/http/page-limit.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { JobPlace, Search } from '../job-index/find-jobs.ts'
import type { SearchKey } from '../job-index/job-ranges.ts'
import { Instant } from './instant.ts'
import { jobsOfReference } from './job-of-reference.ts'
import { onePosNamed, posNamed } from './pos-named.ts'

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

const Text = v.optional(
  v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(255, 'must have at most 255 characters'),
  ),
)

/** An amount in ten-thousandths: jobs of any currency have such an amount, whatever its decimals. */
const Amount = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => parseAmount(text, 'CLF')),
    v.check(({ ok: isOne }) => isOne, 'must be a decimal number such as 12.50'),
    v.transform((read) => (read.ok ? read.value : Number.NaN)),
  ),
)

function isStatus(text: string): text is Status {
  return v.is(Status, text)
}

const Query = v.object({
  q: Text,
  id: v.optional(
    v.pipe(
      v.string(),
      v.transform(parseJobId),
      v.check((id) => id !== null, 'must be the id of a payment job'),
    ),
  ),
  order_number: Text,
  order_id: Text,
  reference: Text,
  pos: Text,
  status: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.check((all) => all.every(isStatus), `must be of ${Status.options.join(', ')}, with commas between`),
      v.transform((all) => all.filter(isStatus)),
    ),
  ),
  method: Text,
  account: Text,
  currency: v.optional(
    v.pipe(v.string(), v.toUpperCase(), v.check(isCurrency, 'must be a currency such as EUR')),
  ),
  amount: Amount,
  amount_from: Amount,
  amount_to: Amount,
  from: v.optional(Instant),
  to: v.optional(Instant),
  limit: PageLimit,
  after: v.optional(After),
})

/** What finds jobs: a search of the index, and the id of a job that is asked itself. */
export type JobQuery = { id: string | null; search: Search | null }

/** Reads the query of a search. `q` is any of what a job is known by; an `id` stands alone. */
export async function readJobQuery(env: Env, url: string): Promise<Result<JobQuery, Refusal>> {
  const sent = new URL(url).searchParams
  const statuses = sent.getAll('status')
  const fields = {
    ...Object.fromEntries(sent),
    ...(statuses.length > 1 ? { status: statuses.join(',') } : {}),
  }
  const read = v.safeParse(Query, fields)
  if (!read.success) return invalid(read.issues)
  const { q, id = null, pos: posText, from, to, after = null, limit, status, ...rest } = read.output
  if (id !== null) {
    return sent.size === 1
      ? ok({ id, search: null })
      : invalidField('id', 'stands alone: leave out the others')
  }
  const [first, second] = ['q', 'order_number', 'order_id', 'reference'].filter((name) => sent.has(name))
  if (second !== undefined) return invalidField(second, `cannot be searched together with ${first}`)
  const pos = posText === undefined ? ok(null) : await onePosNamed(env.DB, posText)
  if (!pos.ok) return invalidField('pos', pos.error)
  const keys = q === undefined ? await keysOf(env, rest) : await keysOfAny(env, q.trim(), rest.account)
  const { method, account, currency, amount, amount_from: least, amount_to: most } = rest
  const filter = {
    statuses: status,
    method,
    account,
    currency,
    amountFrom: amount ?? least,
    amountTo: amount ?? most,
  }
  const search: Search = {
    keys,
    pos: pos.value,
    filter,
    from: from === undefined ? 0 : from * 1000,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : to * 1000,
    after,
    limit,
  }
  return ok({ id: q === undefined || after !== null ? null : parseJobId(q.trim()), search })
}

type Named = {
  order_number?: string | undefined
  order_id?: string | undefined
  reference?: string | undefined
  account?: string | undefined
}

/** A reference that its PSP does not know of any job is looked for in all rows. */
async function keysOf(
  env: Env,
  { order_number: orderNumber, order_id: orderId, reference, account }: Named,
): Promise<SearchKey[]> {
  if (orderNumber !== undefined) return [{ is: 'orderNumber', text: orderNumber }]
  if (orderId !== undefined) return [{ is: 'orderId', text: orderId }]
  if (reference === undefined) return []
  const { jobs } = await jobsOfReference(env, reference, account)
  return jobs.length > 0 ? jobs.map(toKey) : [{ is: 'reference', text: reference }]
}

/** More points of sale of one name than these are searched by their ids. */
const MOST_NAMED = 10

/** A text is looked for as a reference in all rows only where it has the form of one. A job that it names itself is no matter of keys. */
async function keysOfAny(env: Env, text: string, account?: string): Promise<SearchKey[]> {
  const [{ isOne, jobs }, shops] = await Promise.all([
    parseJobId(text) === null ? jobsOfReference(env, text, account) : NO_REFERENCE,
    posNamed(env.DB, text),
  ])
  return [
    { is: 'orderNumber', text },
    { is: 'orderId', text },
    ...(isOne && jobs.length === 0 ? [{ is: 'reference' as const, text }] : jobs.map(toKey)),
    ...shops.slice(0, MOST_NAMED).map(({ id }) => ({ is: 'pos' as const, text: id })),
  ]
}

const NO_REFERENCE = { isOne: false, jobs: [] }

function toKey(job: JobKey): SearchKey {
  return { is: 'job', job }
}
