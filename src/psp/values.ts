import { decimalsOf } from '../contract/money.ts'
import { canonicalLanguage } from '../contract/order.ts'
import { isDay } from '../contract/timestamp.ts'

/**
 * The currencies that a PSP counts otherwise than ISO 4217: the decimals of its own unit, and the
 * step that amounts must be a multiple of (1 by default).
 */
export type Units = Readonly<Record<string, { decimals: number; step?: number }>>

/** Returns how many decimals a PSP counts a currency with: by its table, else by ISO 4217. */
export function decimalsAt(currency: string, units: Units): number {
  return units[currency]?.decimals ?? decimalsOf(currency)
}

/** Converts ISO 4217 minor units to the PSP's unit, unrounded. Null if the PSP cannot take it. */
export function toPspUnits(amount: number, currency: string, units: Units): number | null {
  const scaled = rescale(amount, decimalsOf(currency), decimalsAt(currency, units))
  return scaled !== null && scaled % (units[currency]?.step ?? 1) === 0 ? scaled : null
}

/** Converts the PSP's unit to ISO 4217 minor units; null for an amount that they cannot hold. */
export function fromPspUnits(amount: number, currency: string, units: Units): number | null {
  return rescale(amount, decimalsAt(currency, units), decimalsOf(currency))
}

function rescale(amount: number, from: number, to: number): number | null {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to)
  return Number.isSafeInteger(scaled) ? scaled : null
}

/** Returns the country of a language tag (`NL` of `nl-NL`); without one, where most speak it (CLDR). */
export function countryOf(language: string): string | undefined {
  const tag = canonicalLanguage(language)
  const region = tag === undefined ? undefined : new Intl.Locale(tag).maximize().region
  return region?.length === 2 ? region : undefined
}

/** How a PSP counts the length of a text: an emoji is one code point, but two UTF-16 units. */
type Unit = 'code points' | 'UTF-16 units'

/** Cuts a text to the length that a PSP takes, never within a character. */
export function shorten(text: string, length: number, unit: Unit = 'code points'): string {
  return unit === 'code points'
    ? Array.from(text).slice(0, length).join('')
    : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * Escapes a text for a path or a query. JSON can hold half of a surrogate pair, for which
 * `encodeURIComponent` throws:
 * https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/encodeURIComponent#exceptions
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const PARTS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d):?(\d\d)?$/i

/**
 * Reads an instant (ms) that a PSP tells; null if unreadable, or before 1970. RFC 3339 allows small
 * letters and a leap second (`:60`), and ISO 8601 leaves seconds out: none of that may hide how a
 * payment stands.
 */
export function instantOf(value: unknown): number | null {
  const [, day, minute, second = '00', fraction = '', zone = '', zoneMinutes = '00'] =
    typeof value === 'string' ? (PARTS.exec(value) ?? []) : []
  // The platform would take 31 February for 3 March.
  if (day === undefined || !isDay(day)) return null
  const isLeap = second === '60'
  const offset = /z/i.test(zone) ? 'Z' : `${zone}:${zoneMinutes}`
  const instant = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${offset}`)
  return instant >= 0 ? instant + (isLeap ? 1000 : 0) : null
}
