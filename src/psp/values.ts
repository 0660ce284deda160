import { decimalsOf } from '../contract/money.ts'
import { canonicalLanguage } from '../contract/order.ts'

/**
 * The currencies that a PSP counts otherwise than ISO 4217: the decimals of its own unit, and the
 * multiple of that unit that an amount must be (1 where it does not say).
 */
export type Units = Readonly<Record<string, { decimals: number; step?: number }>>

/**
 * How many decimals a PSP counts a currency with: those of ISO 4217 where its table does not say.
 */
export function decimalsAt(currency: string, units: Units): number {
  return units[currency]?.decimals ?? decimalsOf(currency)
}

/**
 * ISO 4217 minor units in the PSP's own unit; null for an amount that the PSP cannot take, which is
 * never rounded.
 */
export function toPspUnits(amount: number, currency: string, units: Units): number | null {
  const scaled = rescale(amount, decimalsOf(currency), decimalsAt(currency, units))
  return scaled !== null && scaled % (units[currency]?.step ?? 1) === 0 ? scaled : null
}

/** The PSP's own unit in ISO 4217 minor units; null for an amount that they cannot hold. */
export function fromPspUnits(amount: number, currency: string, units: Units): number | null {
  return rescale(amount, decimalsAt(currency, units), decimalsOf(currency))
}

function rescale(amount: number, from: number, to: number): number | null {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to)
  return Number.isSafeInteger(scaled) ? scaled : null
}

/** PSPs have one Norwegian, which clients write in three ways. */
const NORWEGIAN = new Set(['no', 'nn', 'nb'])

/**
 * Finds the locale of a PSP's list (`nl_BE` or `nl-BE` or `nl`, with spaces between) that comes
 * closest to a language as clients write it: the same region if there is one, else the first of the
 * language. Undefined when the list has neither: then the PSP goes by the customer's browser.
 */
export function closestLocale(list: string): (asked: string) => string | undefined {
  const known = list.split(' ').map((locale) => {
    const [code = '', place] = locale.split(/[-_]/)
    return { locale, code, place }
  })
  return (asked) => {
    const tag = canonicalLanguage(asked)
    if (tag === undefined) return undefined
    const { language, region } = new Intl.Locale(tag)
    const codes = NORWEGIAN.has(language) ? NORWEGIAN : new Set([language])
    const ofLanguage = known.filter(({ code }) => codes.has(code))
    return (ofLanguage.find(({ place }) => place === region) ?? ofLanguage[0])?.locale
  }
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
 * A text from outside as a part of a path or a query. JSON can hold half of a surrogate pair, which
 * no address can: `encodeURIComponent` throws there.
 * https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/encodeURIComponent#exceptions
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const PARTS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d):?(\d\d)?$/i

/**
 * The instant (ms) that a PSP tells for the information of others, null for one that cannot be
 * read. RFC 3339 allows small letters and a leap second (`:60`), ISO 8601 leaves seconds out: none
 * of that may hide how a payment stands.
 */
export function instantOf(value: unknown): number | null {
  const [, day, minute, second = '00', fraction = '', zone = '', zoneMinutes = '00'] =
    typeof value === 'string' ? (PARTS.exec(value) ?? []) : []
  if (day === undefined) return null
  const isLeap = second === '60'
  const offset = /z/i.test(zone) ? 'Z' : `${zone}:${zoneMinutes}`
  const instant = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${offset}`)
  return Number.isNaN(instant) ? null : instant + (isLeap ? 1000 : 0)
}
