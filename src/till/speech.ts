import { decimalsOf, parseAmount, toDecimal } from '../contract/money.ts'
import { type CustomerLanguage, LANGUAGES, customerLanguage } from '../platform/http/headers.ts'
import { readableAmount } from '../platform/pages/formats.ts'
import texts from './texts.json'

export type Saying = keyof typeof texts.en

/** The till's texts. A translation that lacks a text does not compile. */
export const TEXTS: Readonly<Record<CustomerLanguage, Readonly<Record<Saying, string>>>> = texts

export function isSaying(name: string): name is Saying {
  return name in texts.en
}

/** The till speaks the first of the browser's languages that it knows. */
export function speechOf(wanted: readonly string[]) {
  const [found] = wanted.flatMap((tag) => {
    const language = customerLanguage(tag, LANGUAGES)
    return language ? [{ tag, language }] : []
  })
  const { tag: wantedTag, language } = found ?? { tag: 'en-GB', language: 'en' as const }
  const tag = new Intl.Locale(wantedTag, { numberingSystem: 'latn' }).toString()
  return {
    language,
    /** The locale for dates and numbers, with the digits that amounts have. */
    tag,
    /** Returns a text, with its names in braces replaced by `values`. */
    say: (saying: Saying, values: Readonly<Record<string, string>> = {}): string =>
      TEXTS[language][saying].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    /** Writes minor units as people write money. */
    money: (minor: number, currency: string): string => readableAmount(minor, currency, language, tag),
    /** Writes minor units for a column of one currency; they may be negative. */
    figure: (minor: number, currency: string): string => {
      const digits = decimalsOf(currency)
      const number = Number(toDecimal(Math.abs(minor), digits)) * Math.sign(minor)
      return number.toLocaleString(tag, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    },
  }
}

export const { language, tag, say, money, figure } = speechOf(globalThis.navigator?.languages ?? [])

/** Returns an amount of the API in minor units. */
export function minorOf(amount: string | 0, currency: string): number {
  const minor = parseAmount(String(amount), currency)
  return minor.ok ? minor.value : 0
}

/** Writes an amount of the API as people write money. */
export function moneyOf(amount: string | 0, currency: string): string {
  return money(minorOf(amount, currency), currency)
}
