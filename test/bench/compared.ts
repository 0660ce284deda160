import type { Comparison } from './targets.ts'

/** A comparison at 16 at once, for tests. */
export function compared(
  what: string,
  against: string,
  value: number,
  met: boolean | null = null,
): Comparison {
  return {
    what,
    against,
    concurrency: 16,
    ratio: { figure: 'rps', value, low: value, high: value },
    target: null,
    met,
  }
}
