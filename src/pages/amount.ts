import { decimalsOf } from '../domain/currency.ts'
import { toDecimal } from '../domain/money.ts'
import type { PageLanguage } from './page.tsx'

/** An amount as people write it in their language: `EUR 1.250,50`, with the decimals that ISO 4217 gives the currency. */
export const readableAmount = (minor: number, currency: string, language: PageLanguage): string => {
  const decimals = decimalsOf(currency)
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  // An amount has at most fifteen digits: a double gives them back as they were.
  return `${currency} ${format.format(Number(toDecimal(minor, decimals)))}`
}
