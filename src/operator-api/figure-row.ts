import { formatAmount } from '../contract/money.ts'
import { BOUNDS, type Counter, TIMES } from '../job-index/counters.ts'
import type { Counted } from '../job-index/figures.ts'
import type { FigureRow } from './contract/figures.ts'

/** The figures of payments that are counted in several places: of several currencies, and of several shards. */
export function figureRow(key: string, name: string, counted: readonly Counted[]): FigureRow {
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
 * About the time (s) within which half of them were: where the middle one would be if those between two bounds were spread
 * evenly. More than an hour is told as an hour.
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
