import { OBJECT_DURATION, PER_MILLION, STORAGE } from './prices.ts'
import type { Counts } from './worker/counts.ts'

/** One line of a bill: what one payment uses, and what a million of them cost (USD). */
export type Line = { what: string; times: number; cost: number }

/**
 * Returns what a million payments cost that each use `counts`, and `cpu` milliseconds of the Worker if known.
 */
export function billOf(counts: Counts, cpu: number | null = null): Line[] {
  const { 'object milliseconds': milliseconds = 0, ...operations } = counts
  const times = { ...operations, ...(cpu === null ? {} : { 'worker CPU milliseconds': cpu }) }
  const lines = Object.entries(PER_MILLION).map(([what, price]) => {
    const each = new Map(Object.entries(times)).get(what) ?? 0
    return { what, times: each, cost: each * price }
  })
  const gbSeconds = (milliseconds / 1000) * OBJECT_DURATION.gigabytes
  const duration = { what: 'object milliseconds', times: milliseconds }
  return [...lines, { ...duration, cost: gbSeconds * OBJECT_DURATION.perMillionGbSeconds }]
}

export function sumOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { cost }) => sum + cost, 0)
}

const DAYS_PER_MONTH = 365.25 / 12

/** Returns the cost (USD) of keeping what a million payments store, for a number of days. */
export function keepingOf(bytes: { object: number; d1: number }, days: number): number {
  const gigabytes = (each: number) => (each * 1_000_000) / 1e9
  const aMonth = gigabytes(bytes.object) * STORAGE.object + gigabytes(bytes.d1) * STORAGE.d1
  return aMonth * (days / DAYS_PER_MONTH)
}
