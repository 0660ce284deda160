/** An instant in microseconds since the Unix epoch; exact in a double until the year 2255. */
export type Micros = number

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * Returns the clock's time (`now` in milliseconds), or one microsecond after `last` if the clock has
 * not moved on.
 */
export function stampAfter(last: Micros, now: number): Micros {
  return Math.max(now * 1000, last + 1)
}

/** Writes a time as ISO 8601 in UTC, with six decimals and a trailing Z. */
export function formatMicros(micros: Micros): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19)
  return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}Z`
}

/** Reads exactly what `formatMicros` writes; null for any other text. */
export function parseMicros(text: string): Micros | null {
  const [, upToMillis, rest] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(text) ?? []
  const micros = Date.parse(`${upToMillis}Z`) * 1000 + Number(rest)
  return Number.isSafeInteger(micros) && formatMicros(micros) === text ? micros : null
}

/**
 * Tells whether a text is a day (`2026-01-31`). By itself, `Date.parse` would take a 31st of June for
 * the 1st of July.
 */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(text)
}

/** Writes a time (ms) as ISO 8601 in UTC, to the second: `2026-01-31T10:00:00Z`. */
export function isoSecond(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Writes a time as ISO 8601 with a numeric offset, to the second: `2026-01-31T10:00:00+00:00`. */
export function formatWithOffset(unixSeconds: number): string {
  return isoSecond(unixSeconds * 1000).replace('Z', '+00:00')
}

/** Writes the day (UTC) of a time (ms): `2026-01-31`. */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Writes a time (ms) as ISO 8601. */
export function isoTime(at: number): string
export function isoTime(at: number | null): string | null
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
