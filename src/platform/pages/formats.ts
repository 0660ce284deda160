import { decimalsOf, toDecimal } from '../../contract/money.ts'
import { readLanguage } from '../../contract/language.ts'
import { type CustomerLanguage, customerLanguage } from '../http/headers.ts'

/** The European form of a language that has several forms. */
const EUROPEAN: Readonly<Partial<Record<CustomerLanguage, string>>> = { en: 'en-GB', pt: 'pt-PT' }

/** Returns the language, with the region of `tag` if that is of the same language (`de_CH` → `de-CH`). */
function localeOf(language: CustomerLanguage, tag = ''): string {
  const region = customerLanguage(tag, [language]) && readLanguage(tag)?.region
  return region ? `${language}-${region}` : (EUROPEAN[language] ?? language)
}

/**
 * Writes minor units as people write money in their language (`12,50 €`, `€ 12,50`, `€12.50`), and in
 * the region of `tag`. Uses the decimals of ISO 4217, because those of Intl differ for some
 * currencies.
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
  // An amount has at most fifteen digits, which fit a double exactly.
  const written = format.format(Number(toDecimal(minor, decimals)))
  return language === 'ar' ? written.replaceAll(LATIN_SIGN, '$&\u200e') : written
}

/** A sign after Latin letters (`US$`), which needs a mark to stay there in a line from right to left (UAX #9, 2.6). */
const LATIN_SIGN = /\p{Script=Latin}\p{Sc}/gu

/** Writes a time (ms) in a language and a time zone (`Europe/Amsterdam`), to the minute, with the zone. */
export function readableTime(time: number, language: CustomerLanguage, timeZone: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    numberingSystem: 'latn',
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
 * Characters that change the direction of the text around them (Unicode Bidirectional Algorithm,
 * UAX #9, section 2). Texts with letters of both directions use `<bdi>` instead.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Cleans an outsider's text for a page, so that it cannot look like another. Empty if invisible. */
export function shownText(text: string): string {
  const shown = text.replaceAll(TURNING, '').trim()
  return VISIBLE.test(shown) ? shown : ''
}
