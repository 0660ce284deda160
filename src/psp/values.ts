import { decimalsOf, isCurrency } from '../contract/money.ts'
import { canonicalLanguage } from '../contract/language-tag.ts'
import { isDay } from '../contract/timestamp.ts'

/**
 * The currencies that a PSP counts differently from ISO 4217: the decimals of its own unit, and a step
 * of which amounts must be a multiple (1 by default).
 */
export type Units = Readonly<Record<string, { decimals: number; step?: number }>>

/** Returns the number of decimals with which a PSP counts a currency, by its table or else by ISO 4217. */
export function decimalsAt(currency: string, units: Units): number {
  return units[currency]?.decimals ?? decimalsOf(currency)
}

/** Converts ISO 4217 minor units to the PSP's unit, unrounded; null if the PSP cannot take the amount. */
export function toPspUnits(amount: number, currency: string, units: Units): number | null {
  const scaled = rescale(amount, decimalsOf(currency), decimalsAt(currency, units))
  return scaled !== null && scaled % (units[currency]?.step ?? 1) === 0 ? scaled : null
}

/**
 * Converts the PSP's unit to ISO 4217 minor units; null for an amount that they cannot hold, and for a
 * currency that the hub does not know: a PSP may name any.
 */
export function fromPspUnits(amount: number, currency: string, units: Units): number | null {
  if (!isCurrency(currency)) return null
  return rescale(amount, decimalsAt(currency, units), decimalsOf(currency))
}

function rescale(amount: number, from: number, to: number): number | null {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to)
  return Number.isSafeInteger(scaled) ? scaled : null
}

/** Returns the country of a language tag (`NL` of `nl-NL`), or the country with most speakers (CLDR). */
export function countryOf(language: string): string | undefined {
  const tag = canonicalLanguage(language)
  const region = tag === undefined ? undefined : new Intl.Locale(tag).maximize().region
  return region?.length === 2 ? region : undefined
}

/** The unit of a text's length at a PSP: an emoji is one code point, but two UTF-16 units. */
type Unit = 'code points' | 'UTF-16 units'

/** Cuts a text to a PSP's limit, never within a character. */
export function shorten(text: string, length: number, unit: Unit = 'code points'): string {
  return unit === 'code points'
    ? Array.from(text).slice(0, length).join('')
    : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
}

/**
 * Escapes a text for a path or a query. JSON may contain half of a surrogate pair, for which
 * `encodeURIComponent` throws:
 * https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/encodeURIComponent#exceptions
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const PARTS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d):?(\d\d)?$/i

/**
 * Reads an instant (ms) in a PSP's answer; null if unreadable, or before 1970. RFC 3339 allows lower
 * case and a leap second (`:60`), and ISO 8601 may omit seconds: none of that may make a payment
 * unreadable.
 */
export function instantOf(value: unknown): number | null {
  const [, day, minute, second = '00', fraction = '', zone = '', zoneMinutes = '00'] =
    typeof value === 'string' ? (PARTS.exec(value) ?? []) : []
  // The platform would read 31 February as 3 March.
  if (day === undefined || !isDay(day)) return null
  const isLeap = second === '60'
  const offset = /z/i.test(zone) ? 'Z' : `${zone}:${zoneMinutes}`
  const instant = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${offset}`)
  return instant >= 0 ? instant + (isLeap ? 1000 : 0) : null
}
