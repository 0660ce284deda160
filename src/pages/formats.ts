import { decimalsOf } from '../domain/currency.ts'
import { toDecimal } from '../domain/money.ts'
import type { PageLanguage } from './language.ts'

/** Where a language is written in more than one way, the European one. */
const EUROPEAN: Readonly<Partial<Record<PageLanguage, string>>> = { en: 'en-GB', pt: 'pt-PT' }

const localeOf = (language: PageLanguage): string => EUROPEAN[language] ?? language

/**
 * An amount of minor units as people write it in their language: `12,50 €`, `€ 12,50`, `€12.50`. It has the decimals that ISO
 * 4217 gives the currency, which are not always those of Intl.
 */
export const readableAmount = (minor: number, currency: string, language: PageLanguage): string => {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // An amount has at most fifteen digits: a double gives them back as they were.
  return format.format(Number(toDecimal(minor, decimals)))
}

/** A time (ms) as people write it in their language, to the minute, in UTC: nobody knows where the customer is. */
export const readableTime = (time: number, language: PageLanguage): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(time)
