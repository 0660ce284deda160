import type { FigureRow, FiguresBy } from '../contract/job-index.ts'
import { formatAmount } from '../contract/money.ts'
import { DAY, HOUR } from '../contract/timestamp.ts'
import { type Counter, BOUNDS, TIMES, type Counted, countedJobs } from '../job-index/counters.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { listAccounts } from '../registry/accounts.ts'
import { type PointOfSale, listPointsOfSale } from '../registry/points-of-sale.ts'
import { onePosNamed } from './pos-named.ts'
import type { OperatorHandler } from './serve.ts'

/**
 * The figures of payments that are counted in several places: of several currencies, and of several
 * shards.
 */
function figureRow(key: string, name: string, counted: readonly Counted[]): FigureRow {
  const sum = (counter: Counter): number => counted.reduce((total, { counts }) => total + counts[counter], 0)
  const [created, success, failure, cancelled, expired] = [
    sum('created'),
    sum('success'),
    sum('failure'),
    sum('cancelled'),
    sum('expired'),
  ] as const
  const ended = success + failure + cancelled + expired
  return {
    key,
    name,
    created,
    pending: created - ended,
    success,
    failure,
    cancelled,
    expired,
    successRate: ended === 0 ? null : Math.round((success / ended) * 10_000) / 10_000,
    medianSeconds: medianOf(TIMES.map(sum)),
    paid: paidOf(counted),
  }
}

/**
 * About the time (s) within which half of them were: where the middle one would be if those between
 * two bounds were spread evenly. More than an hour is told as an hour.
 */
export function medianOf(times: readonly number[]): number | null {
  const half = times.reduce((sum, count) => sum + count, 0) / 2
  if (half <= 0) return null
  let before = 0
  for (const [at, count] of times.entries()) {
    const low = BOUNDS[at - 1] ?? 0
    const high = BOUNDS[at] ?? low
    if (before + count >= half) return Math.round((low + ((high - low) * (half - before)) / count) * 10) / 10
    before += count
  }
  return null
}

function paidOf(counted: readonly Counted[]): FigureRow['paid'] {
  const sums = new Map<string, number>()
  for (const { currency, counts } of counted) {
    sums.set(currency, (sums.get(currency) ?? 0) + counts.paid)
  }
  return Array.from(sums)
    .filter(([, minor]) => minor > 0)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, minor]) => ({ currency, amount: formatAmount(minor, currency) }))
}

/** A month by the hour, a year by anything else: what is read grows with the time. */
const MOST_BY_HOUR = 31 * DAY
const MOST = 366 * DAY

/** Without a `mode` they are those of live points of sale, or of test ones while there is none. */
export const showFigures: OperatorHandler<'showFigures'> = async ({ env, query }) => {
  const { by, account, method, pos, mode: wantedMode } = query
  const to = Math.ceil((query.to ?? Date.now()) / HOUR)
  const from = query.from === undefined ? to - 24 : Math.floor(query.from / HOUR)
  const most = by === 'hour' ? MOST_BY_HOUR : MOST
  if (from > to) return invalidField('from', 'must not be later than `to`')
  if ((to - from) * HOUR > most) {
    const rather = by === 'hour' ? '; ask for a longer time by the day' : ''
    return invalidField('from', `must be at most ${most / DAY} days before \`to\`${rather}`)
  }
  const one = await onePosNamed(env.DB, pos)
  if (!one.ok) return one
  const all = await listPointsOfSale(env.DB)
  const mode = wantedMode ?? all.find(({ id }) => id === one.value)?.mode ?? usualMode(all)
  const shops = all.filter((shop) => shop.mode === mode && (one.value === null || shop.id === one.value))
  const [counted, accounts] = await Promise.all([
    countedJobs(env, {
      by: by === 'psp' ? 'account' : by,
      from,
      to,
      pos: shops.map(({ id }) => id),
      account,
      method,
    }),
    by === 'psp' ? listAccounts(env.DB) : [],
  ])
  const psps = new Map(accounts.map(({ id, psp }) => [id, psp]))
  const names = new Map(by === 'pos' ? shops.map(({ id, name }) => [id, name]) : [])
  // An account that was removed is told by its id.
  const groups = Map.groupBy(counted, ({ key }) => (by === 'psp' ? (psps.get(key) ?? key) : keyOf(by, key)))
  return reply({
    from: isoSecond(from * HOUR),
    to: isoSecond(to * HOUR),
    by,
    mode,
    rows: Array.from(groups, ([key, those]) => figureRow(key, names.get(key) ?? key, those)).toSorted(
      orderOf(by),
    ),
    total: figureRow('total', 'all', counted),
  })
}

/** A hub that has no live point of sale yet is being tried out. */
function usualMode(all: readonly PointOfSale[]) {
  return all.some(({ mode }) => mode === 'live') ? 'live' : 'test'
}

function isoSecond(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

function keyOf(by: FiguresBy, key: Counted['key']): string {
  if (by === 'hour') return isoSecond(Number(key) * HOUR)
  return by === 'day' ? isoSecond(Number(key) * DAY).slice(0, 10) : key
}

/** Times in their order; else what has most payments first. */
function orderOf(by: FiguresBy) {
  return (one: { key: string; created: number }, other: { key: string; created: number }): number => {
    const inOrder = one.key < other.key ? -1 : 1
    return by === 'hour' || by === 'day' ? inOrder : other.created - one.created || inOrder
  }
}
