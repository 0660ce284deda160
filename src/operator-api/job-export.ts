import { ListedJob, MoneyMoved } from '../contract/jobs.ts'
import { signedAmount } from '../contract/money.ts'
import { isoTime } from '../contract/timestamp.ts'
import * as v from 'valibot'
import { walkJobs } from '../job-index/find-jobs.ts'
import { readJob } from '../job/call-job.ts'
import { Movement } from '../job/core/state.ts'
import { type JobRow, rowOf } from '../job/core/row.ts'
import { listPointsOfSale } from '../registry/points-of-sale.ts'
import { exportedFile } from './exported-file.ts'
import { type JobQuery, type JobShown, jobsShown, listedJob, readJobQuery } from './job-search.ts'
import { usualMode } from './asked.ts'
import type { OperatorHandler } from './serve.ts'

export const exportJobs: OperatorHandler<'exportJobs'> = async ({ env, config, isHead, query: asked }) => {
  const { format, separator, ...search } = asked
  const query = await readJobQuery(env, config, await withMode(env, search))
  if (!query.ok) return query
  const file = { name: 'payment-jobs', format, separator, schema: ListedJob, isHead }
  return exportedFile(file, pagesOf(env, query.value))
}

/** The filters that name something of one mode, or a mode. */
const OF_ONE_MODE = ['mode', 'pos', 'account', 'q', 'id', 'order_number', 'order_id', 'reference'] as const

/** Keeps test payments out of an export of live ones, unless a filter names what it is of. */
async function withMode<Asked extends { readonly [Name in (typeof OF_ONE_MODE)[number]]?: unknown }>(
  env: Env,
  asked: Asked,
) {
  return OF_ONE_MODE.some((name) => asked[name] !== undefined)
    ? asked
    : { ...asked, mode: usualMode(await listPointsOfSale(env.DB)) }
}

const pagesOf = async function* (env: Env, { id, search }: JobQuery): AsyncGenerator<ListedJob[]> {
  const job = id === null ? null : await readJob(env, id)
  if (job) yield (await jobsShown(env, [rowOf(job)])).map(listedJob)
  if (!search) return
  for await (const rows of walkJobs(env, search)) {
    const others = rows.filter((row) => row.id !== job?.id)
    yield (await jobsShown(env, others)).map(listedJob)
  }
}

/** Exports movements of money. A job may be older than its movements, so it reads from 0. */
export const exportMovements: OperatorHandler<'exportMovements'> = async ({
  env,
  config,
  isHead,
  query: { format, separator, account, ...asked },
}) => {
  const query = await readJobQuery(env, config, await withMode(env, asked))
  if (!query.ok) return query
  const { search } = query.value
  const pages = search ? movementsOf(env, search, account) : nothing()
  return exportedFile({ name: 'money-movements', format, separator, schema: MoneyMoved, isHead }, pages)
}

const nothing = async function* (): AsyncGenerator<MoneyMoved[]> {}

const movementsOf = async function* (
  env: Env,
  search: NonNullable<JobQuery['search']>,
  account: string | undefined,
): AsyncGenerator<MoneyMoved[]> {
  const { from, to, filter } = search
  const isWanted = (moved: MoneyMoved) => {
    const at = Date.parse(moved.at) * 1000
    return at >= from && at < to && (account === undefined || moved.account === account)
  }
  for await (const rows of walkJobs(env, { ...search, from: 0, filter: { ...filter, movedSince: from } })) {
    yield (await jobsShown(env, rows)).flatMap(movementsOfJob).filter(isWanted)
  }
}

const Movements = v.pipe(v.string(), v.parseJson(), v.array(Movement))

function movementsOfJob({ row, posName, mode }: JobShown): MoneyMoved[] {
  const { id, pos, orderNumber, orderId, paymentMethod, currency }: JobRow = row
  return v.parse(Movements, row.movements ?? '[]').map(({ at, is, account, reference, amount }) => ({
    at: isoTime(at),
    is,
    paymentJob: id,
    pos,
    posName,
    mode,
    orderNumber,
    orderId,
    paymentMethod,
    currency,
    account,
    reference,
    amount: signedAmount(amount, currency),
  }))
}
