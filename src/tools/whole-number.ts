import { UsageError, quoted } from './usage-error.ts'

/**
 * The whole number that was given with a flag, from `least` to `most`. Throws a UsageError for
 * anything else.
 */
export function wholeNumber(
  flag: string,
  given: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not ${quoted(given)}`)
}
