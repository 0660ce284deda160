import { type JobSearch, ListedJob, OF_ONE_MODE } from '../contract/job-search.ts'
import { MoneyMoved } from '../contract/job-export.ts'
import { usualMode } from '../contract/points-of-sale.ts'
import { figuresWith } from '../contract/money-figures.ts'
import { signedAmount } from '../contract/money.ts'
import { isoTime } from '../contract/timestamp.ts'
import * as v from 'valibot'
import { walkJobs } from '../job-index/find-jobs.ts'
import { Movement } from '../job/core/state.ts'
import { listPointsOfSale } from '../registry/points-of-sale.ts'
import { exportedFile } from './exported-file.ts'
import { type JobQuery, type NamedJob, jobById, jobsShown, listedJob, readJobQuery } from './job-search.ts'
import type { OperatorHandler } from './serve.ts'

export const exportJobs: OperatorHandler<'exportJobs'> = async ({ env, config, isHead, query: asked }) => {
  const { format, separator, ...search } = asked
  const query = await readJobQuery(env, config, await withMode(env, search))
  if (!query.ok) return query
  const { mode } = query.value
  const amounts = ['amount', 'paid', 'net', ...figuresWith('column')]
  const file = { name: 'payment-jobs', format, separator, schema: ListedJob, amounts, mode, isHead }
  return exportedFile(file, pagesOf(env, query.value))
}

/** Adds the usual mode, so that live exports have no test payments, unless a filter implies a mode. */
async function withMode(env: Env, asked: JobSearch): Promise<JobSearch> {
  return ['mode' as const, ...OF_ONE_MODE].some((name) => asked[name] !== undefined)
    ? asked
    : { ...asked, mode: usualMode(await listPointsOfSale(env.DB)) }
}

const pagesOf = async function* (env: Env, query: JobQuery): AsyncGenerator<ListedJob[]> {
  const byId = await jobById(env, query)
  if (byId.length > 0) yield byId.map(listedJob)
  if (!query.search) return
  for await (const rows of walkJobs(env, query.search)) {
    const others = rows.filter((row) => row.id !== byId[0]?.row.id)
    yield (await jobsShown(env, others)).map(listedJob)
  }
}

/** Exports movements of money. Jobs may be older than their movements, so it reads all jobs from 0. */
export const exportMovements: OperatorHandler<'exportMovements'> = async ({
  env,
  config,
  isHead,
  query: sent,
}) => {
  const { format, separator, account, ...asked } = sent
  const wanted = account === undefined ? await withMode(env, asked) : asked
  const query = await readJobQuery(env, config, wanted)
  if (!query.ok) return query
  const { search, mode } = query.value
  const pages = search ? movementsOf(env, search, account) : nothing()
  const file = { name: 'money-movements', format, separator, schema: MoneyMoved, mode, isHead }
  return exportedFile({ ...file, amounts: ['amount'] }, pages)
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

function movementsOfJob({ row, posName, mode }: NamedJob): MoneyMoved[] {
  const { id, pos, orderNumber, orderId, paymentMethod, currency } = row
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
