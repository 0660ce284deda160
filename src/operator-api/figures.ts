import type { FigureRow, FiguresBy } from '../contract/job-index.ts'
import { usualMode } from '../contract/points-of-sale.ts'
import { netOf } from '../contract/job-money.ts'
import { figuresWith } from '../contract/money-figures.ts'
import { recordOf } from '../contract/record-of.ts'
import { signedAmount } from '../contract/money.ts'
import { DAY, HOUR, isoSecond } from '../contract/timestamp.ts'
import { type Counter, BOUNDS, TIMES, type CountRow, countedJobs } from '../job-index/counters.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { listAccounts } from '../registry/accounts.ts'
import { dayStart, localOf, nextDay } from '../platform/pages/zoned-time.ts'
import { listPointsOfSale } from '../registry/points-of-sale.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { timeOf, onePosNamed } from './read-query.ts'
import type { OperatorHandler } from './serve.ts'

/** Adds up the counts of several currencies and shards into one row. */
function figureRow(key: string, name: string, counted: readonly CountRow[]): FigureRow {
  const sum = (counter: Counter): number => counted.reduce((total, { counts }) => total + counts[counter], 0)
  const created = sum('created')
  const success = sum('success')
  const failure = sum('failure')
  const cancelled = sum('cancelled')
  const expired = sum('expired')
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
    paid: sumsOf(counted, ({ paid }) => paid),
    ...recordOf(figuresWith('isBack'), (back) => sumsOf(counted, (counts) => counts[back])),
    net: sumsOf(counted, netOf),
  }
}

/**
 * Estimates the median time (s) as if the times between two bounds were spread evenly. Longer times
 * count as one hour.
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

/** Sums `of` by currency, and leaves out currencies with a sum of zero. */
function sumsOf(counted: readonly CountRow[], of: (counts: CountRow['counts']) => number): FigureRow['paid'] {
  const byCurrency = Map.groupBy(counted, ({ currency }) => currency)
  return Array.from(byCurrency, ([currency, those]) => ({
    currency,
    minor: those.reduce((sum, { counts }) => sum + of(counts), 0),
  }))
    .filter(({ minor }) => minor !== 0)
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
    .map(({ currency, minor }) => ({ currency, amount: signedAmount(minor, currency) }))
}

/** The longest span (ms) of figures by the hour, and by anything else: it bounds the reads. */
const MOST_BY_HOUR = 31 * DAY + HOUR
const MOST = 366 * DAY

/**
 * Without a `mode`, counts live shops if there are any, unless the query names a test shop or the sandbox.
 */
export const showFigures: OperatorHandler<'showFigures'> = async ({ env, config, query }) => {
  const { timeZone: zone } = config
  const { by, account, method, pos, mode: wantedMode } = query
  const time = timeOf(query, zone)
  if (!time.ok) return time
  const to = Math.ceil((time.value.to ?? Date.now()) / HOUR)
  const from = time.value.from === undefined ? to - 24 : Math.floor(time.value.from / HOUR)
  const most = by === 'hour' ? MOST_BY_HOUR : MOST
  if (from > to) return invalidField('from', 'must not be later than `to`')
  if ((to - from) * HOUR > most) {
    const rather = by === 'hour' ? '; for a longer time ask by the day' : ''
    return invalidField('from', `must be at most ${Math.floor(most / DAY)} days before \`to\`${rather}`)
  }
  const one = await onePosNamed(env.DB, pos)
  if (!one.ok) return one
  const all = await listPointsOfSale(env.DB)
  // Only payments of test shops are at the sandbox.
  const usual = account === SANDBOX_ACCOUNT.id ? SANDBOX_ACCOUNT.mode : usualMode(all)
  const mode = wantedMode ?? all.find(({ id }) => id === one.value)?.mode ?? usual
  const shops = all.filter((shop) => shop.mode === mode && (one.value === null || shop.id === one.value))
  const [counted, accounts] = await Promise.all([
    countedJobs(env, {
      by: by === 'psp' || by === 'day' ? COUNTED_BY[by] : by,
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
  const dayOf = by === 'day' ? daysOf(from, to, zone) : new Map<number, string>()
  const groups = Map.groupBy(counted, ({ key }) => {
    if (by === 'hour') return isoSecond(Number(key) * HOUR)
    if (by === 'day') return dayOf.get(Number(key)) ?? key
    // The key of a removed account is its own id, because its PSP is unknown.
    return by === 'psp' ? (psps.get(key) ?? key) : key
  })
  return reply({
    from: isoSecond(from * HOUR),
    to: isoSecond(to * HOUR),
    by,
    mode,
    zone,
    rows: Array.from(groups, ([key, those]) => figureRow(key, names.get(key) ?? key, those)).toSorted(
      orderOf(by),
    ),
    total: figureRow('total', 'all', counted),
  })
}

/** Returns the local day in which each hour (since 1970) begins. */
function daysOf(from: number, to: number, zone: string): Map<number, string> {
  const days = new Map<number, string>()
  let day = localOf(from * HOUR, zone).slice(0, 10)
  let next = dayStart(nextDay(day), zone)
  for (let hour = from; hour < to; hour++) {
    if (hour * HOUR >= next) {
      day = nextDay(day)
      next = dayStart(nextDay(day), zone)
    }
    days.set(hour, day)
  }
  return days
}

/** Groups without counters of their own, each with the counters that its figures are summed from. */
const COUNTED_BY = { psp: 'account', day: 'hour' } as const

/** Orders hours and days by time, and other groups by their number of payments, largest first. */
function orderOf(by: FiguresBy) {
  return (one: { key: string; created: number }, other: { key: string; created: number }): number => {
    const inOrder = one.key < other.key ? -1 : 1
    return by === 'hour' || by === 'day' ? inOrder : other.created - one.created || inOrder
  }
}
