import { decimalsOf, toDecimal } from '../../contract/money.ts'
import { type CustomerLanguage, customerLanguage } from '../http/headers.ts'

/** Where a language is written in more than one way, the European one. */
const EUROPEAN: Readonly<Partial<Record<CustomerLanguage, string>>> = { en: 'en-GB', pt: 'pt-PT' }

/** The region in a language tag (RFC 5646, section 2.2.4), after language and script. */
const REGION = /^[a-z]{2}(?:[-_][a-z]{4})?[-_]([a-z]{2}|\d{3})(?![^-_])/i

/** The page's language in the order's region (`de_CH` → `de-CH`): only that part is trusted. */
function localeOf(language: CustomerLanguage, tag = ''): string {
  const region = customerLanguage(tag, [language]) && REGION.exec(tag)?.[1]
  return region ? `${language}-${region}` : (EUROPEAN[language] ?? language)
}

/**
 * An amount of minor units as people write it in their language: `12,50 €`, `€ 12,50`, `€12.50`; in
 * their region, where the language `tag` of the order is one of that language and names it. It has
 * the decimals that ISO 4217 gives the currency, which are not always those of Intl.
 */
export function readableAmount(
  minor: number,
  currency: string,
  language: CustomerLanguage,
  tag?: string,
): string {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(localeOf(language, tag), {
    style: 'currency',
    currency,
    numberingSystem: 'latn',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // An amount has at most fifteen digits: a double gives them back as they were.
  return format.format(Number(toDecimal(minor, decimals)))
}

/**
 * A time (ms) in a language, to the minute, in a time zone (`Europe/Amsterdam`), which it names.
 */
export function readableTime(time: number, language: CustomerLanguage, timeZone: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(time)
}

/**
 * The characters that turn the text around them: marks, embeddings, overrides and isolates (Unicode
 * Bidirectional Algorithm, UAX #9, section 2). What letters of both directions need is `<bdi>`.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A shop's text for a page: it cannot read as another. Empty where nothing of it is visible. */
export function shownText(text: string): string {
  const shown = text.replaceAll(TURNING, '').trim()
  return VISIBLE.test(shown) ? shown : ''
}
