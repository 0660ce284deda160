import { parseJobId } from '../contract/ids.ts'
import type { JobSearch, ListedJob } from '../contract/job-search.ts'
import { netOf } from '../contract/job-money.ts'
import { formatAmount, signedAmount } from '../contract/money.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { recordOf } from '../contract/record-of.ts'
import { searchedSum } from '../contract/typed-amount.ts'
import type { JobPosition } from '../contract/queries.ts'
import { type Result, ok } from '../contract/result.ts'
import { formatMicros, isoTime } from '../contract/timestamp.ts'
import type { Mode } from '../contract/values.ts'
import { findJobs } from '../job-index/find-jobs.ts'
import type { Search, SearchKey } from '../job-index/search.ts'
import { readJob } from '../job/call-job.ts'
import { type JobKey, type JobRow, rowOf } from '../job/core/row.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import type { Config } from '../platform/config.ts'
import { reply } from '../platform/http/operations.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { adapterOf, ADAPTERS } from '../psp/adapters.ts'
import { connect } from '../psp/connect.ts'
import { listAccounts } from '../registry/accounts.ts'
import { namedPos, posByMode } from '../registry/points-of-sale.ts'
import { SANDBOX_ACCOUNT, unlistedMode } from '../registry/profile.ts'
import { timeOf, onePosNamed, posNamed } from './read-query.ts'
import type { OperatorHandler } from './serve.ts'

/**
 * A query for jobs: a search of the index, the id of a job to read directly, or both. `mode` null:
 * jobs of both modes.
 */
export type JobQuery = { id: string | null; search: Search | null; mode: Mode | null }

type SearchParameters = JobSearch & { limit?: number; after?: JobPosition | undefined }

/** Reads a query. `q` may be any text that identifies a job. An `id` excludes all other parameters. */
export async function readJobQuery(
  env: Env,
  { timeZone }: Pick<Config, 'timeZone'>,
  { limit = 50, ...asked }: SearchParameters,
): Promise<Result<JobQuery, Refusal>> {
  const { q, id = null, pos: posText, after = null, status, mode: modes = 'all', ...others } = asked
  const { failing, ends_within: within, ...rest } = others
  if (id !== null) {
    return Object.keys(asked).length === 1
      ? ok({ id, search: null, mode: null })
      : invalidField('id', 'cannot be combined with other parameters')
  }
  const [first, second] = (['q', 'order_number', 'order_id', 'reference'] as const).filter(
    (name) => asked[name] !== undefined,
  )
  if (second !== undefined) return invalidField(second, `cannot be searched together with ${first}`)
  const time = timeOf(asked, timeZone)
  if (!time.ok) return time
  const { from, to } = time.value
  const pos = await onePosNamed(env.DB, posText)
  if (!pos.ok) return pos
  const mode = modes === 'all' ? null : modes
  const keys = q === undefined ? await keysOf(env, rest) : await keysOfAny(env, q.trim(), rest.account)
  const { method, account, currency, amount, amount_from: least, amount_to: most } = rest
  const filter = {
    statuses: status,
    method,
    account,
    currency,
    amountFrom: amount ?? least,
    amountTo: amount ?? most,
    isFailing: failing === '1',
    figures: figuresWith('search').filter((name) => rest[FIGURES[name].column] === '1'),
    reservedUntil: within === undefined ? undefined : Date.now() + within,
  }
  const search: Search = {
    keys,
    pos: pos.value,
    among: mode === null ? undefined : (await posByMode(env.DB))[mode],
    filter,
    from: from === undefined ? 0 : from * 1000,
    to: to === undefined ? Number.MAX_SAFE_INTEGER : to * 1000,
    after,
    limit,
  }
  return ok({ id: q === undefined || after !== null ? null : idIn(q.trim()), search, mode })
}

/** Returns the id of a job that a text is, or that stands in an address of it, such as a pay link. */
function idIn(text: string): string | null {
  const [, inAddress = ''] = /(?:^|\/)([\da-f-]{36})(?:[./?#]|$)/i.exec(text) ?? []
  return parseJobId(text) ?? parseJobId(inAddress)
}

/** A shorter text is in too many names. */
const SHORTEST_PART = 3

/**
 * Returns searches for what a text may mean if nothing has exactly this name: an amount, or an order number in
 * other letters or the beginning of one, or else a part of any name. Each looks through a bounded part of the index.
 */
function widerSearches(search: Search, text: string): Search[] {
  const sum = searchedSum(text)
  if (sum) {
    const currency = search.filter.currency ?? sum.currency
    const filter = { ...search.filter, amountFrom: sum.amount, amountTo: sum.amount, currency }
    return [{ ...search, keys: [], filter }]
  }
  if (text.length < SHORTEST_PART) return []
  const written = [...new Set([text, text.toUpperCase(), text.toLowerCase()])]
  return [
    { ...search, keys: written.map((one) => ({ is: 'beginning', text: one })) },
    { ...search, keys: [{ is: 'part', text }] },
  ]
}

/** Reads the job that a query names by its id, unless the job has another mode. */
export async function jobById(env: Env, { id, mode }: JobQuery): Promise<NamedJob[]> {
  const job = id === null ? null : await readJob(env, id)
  const shown = job ? await jobsShown(env, [rowOf(job)]) : []
  return shown.filter((one) => mode === null || one.mode === mode)
}

type SearchNames = Pick<JobSearch, 'order_number' | 'order_id' | 'reference' | 'account'>

/**
 * Returns the keys of a search. If no PSP knows the job of a reference, the search looks for the
 * reference in all rows.
 */
async function keysOf(env: Env, names: SearchNames): Promise<SearchKey[]> {
  const { order_number: orderNumber, order_id: orderId, reference, account } = names
  if (orderNumber !== undefined) return [{ is: 'orderNumber', text: orderNumber }]
  if (orderId !== undefined) return [{ is: 'orderId', text: orderId }]
  if (reference === undefined) return []
  const { jobs } = await jobsOfReference(env, reference, account)
  return jobs.length > 0 ? jobs.map(toKey) : [{ is: 'reference', text: reference }]
}

/** The most points of sale of one name that a search covers. */
const MOST_NAMED = 10

/**
 * Returns the keys for any text. A search looks in all rows only for a text in the form of a
 * reference. A job's own id needs no key.
 */
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

/** The most accounts that a search asks. */
const MOST_ASKED = 30

/**
 * Finds the jobs of a PSP's reference. An index of references would cost each payment a row of D1,
 * so the hub asks the PSPs instead: all accounts whose references have that form, at the same time.
 * A reference that is the id of a job needs no question. `isOne`: the text has the form of a
 * reference, so a row may have it even if no PSP knows it.
 */
async function jobsOfReference(
  env: Env,
  text: string,
  account?: string,
): Promise<{ isOne: boolean; jobs: JobKey[] }> {
  const id = parseJobId(text)
  if (id !== null) return { isOne: false, jobs: await jobsAt(env, [id]) }
  if (!Object.values(ADAPTERS).some(({ references }) => references?.test(text))) return NO_REFERENCE
  const all = [SANDBOX_ACCOUNT, ...(await listAccounts(env.DB))]
  const asked = all.filter(
    ({ id: one, psp }) => isReferenceAt(psp, text) && (account === undefined || one === account),
  )
  if (asked.length > MOST_ASKED) return { isOne: true, jobs: [] }
  const named = await Promise.all(
    asked.map(async (one) => (await connect(env, one, currentOrigin())).jobOf?.(text) ?? null),
  )
  return { isOne: true, jobs: await jobsAt(env, named) }
}

/** Returns whether a text has the form of a PSP's references. The sandbox uses Mollie's form. */
export function isReferenceAt(psp: string, text: string): boolean {
  return adapterOf(psp === SANDBOX_ACCOUNT.psp ? 'mollie' : psp)?.references?.test(text) ?? false
}

/** Returns the jobs of these ids. An id may be unknown here, because another hub may use the same account. */
async function jobsAt(env: Env, named: readonly (string | null)[]): Promise<JobKey[]> {
  const ids = new Set(named.flatMap((text) => parseJobId(text ?? '') ?? []))
  const found = await Promise.all([...ids].map((id) => readJob(env, id)))
  return found.flatMap((job) => (job === null ? [] : { id: job.id, pos: job.pos, created: job.created }))
}

/** A row of the index, with the name and the mode of its point of sale. */
export type NamedJob = { row: JobRow; posName: string; mode: Mode }

export async function jobsShown(env: Env, rows: readonly JobRow[]): Promise<NamedJob[]> {
  if (rows.length === 0) return []
  const shops = await namedPos(env.DB, [...new Set(rows.map(({ pos }) => pos))])
  return rows.map((row) => {
    const shop = shops.get(row.pos)
    return { row, posName: shop?.name ?? row.pos, mode: shop?.mode ?? unlistedMode(row.account) }
  })
}

export function listedJob({ row, posName, mode }: NamedJob): ListedJob {
  const money = (minor: number) => formatAmount(minor, row.currency)
  return {
    id: row.id,
    created: formatMicros(row.created),
    pos: row.pos,
    posName,
    mode,
    account: row.account,
    reference: row.reference,
    paymentMethod: row.paymentMethod,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    currency: row.currency,
    amount: money(row.amount),
    paid: money(row.paid),
    paidAt: row.paidAfter === null ? null : isoTime(Math.floor(row.created / 1000) + row.paidAfter),
    ...recordOf(figuresWith('column'), (name) => money(row[name])),
    net: signedAmount(netOf(row), row.currency),
    status: row.status,
    updated: formatMicros(row.updated),
    owedSince: isoTime(row.failingSince),
    givenUp: isoTime(row.givenUpAt),
    alsoPaidBy: row.alsoPaidBy,
    captureBefore: isoTime(row.captureBefore),
    terminal: row.terminal,
  }
}

export const searchJobs: OperatorHandler<'searchJobs'> = async ({ env, config, query: asked }) => {
  const query = await readJobQuery(env, config, asked)
  if (!query.ok) return query
  const { search } = query.value
  const nothing = { rows: [], next: null }
  const [byId, exact] = await Promise.all([
    jobById(env, query.value),
    search === null ? nothing : findJobs(env, search),
  ])
  let found = exact
  for (const wider of search && asked.q ? widerSearches(search, asked.q.trim()) : []) {
    if (byId.length + found.rows.length > 0 || found.next !== null) break
    found = await findJobs(env, wider)
  }
  const { rows, next } = found
  const others = rows.filter(({ id }) => id !== byId[0]?.row.id)
  return reply({
    jobs: [...byId, ...(await jobsShown(env, others))].map(listedJob),
    next: next && `${formatMicros(next.created)}-${next.id}`,
  })
}
