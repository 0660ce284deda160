import * as v from 'valibot'
import { isDay } from '../contract/timestamp.ts'

const MESSAGE = 'must be a time such as 2026-01-31T10:00:00Z'

/** An instant that an operator names, in milliseconds. */
export const Instant = v.pipe(
  v.string('is required'),
  v.isoTimestamp(MESSAGE),
  v.check((text) => isDay(text.slice(0, 10)), MESSAGE),
  v.transform(Date.parse),
  v.integer(MESSAGE),
)

/** A time (ms) as the operator API tells it, or null where there is none. */
export function isoTime(at: number): string
export function isoTime(at: number | null): string | null
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
