/** The smallest of the sorted values that `share` of them do not exceed (nearest rank). NaN where there are none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? NaN
}

/** The middle value, or the mean of the two in the middle. NaN where there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2
}

/** A value with the lowest and the highest that were seen. */
export type Spread = { median: number; low: number; high: number }

export function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    low: Math.min(...values),
    high: Math.max(...values),
  }
}
