import { decimalsOf, parseAmount, toDecimal } from '../../../contract/money.ts'
import { type CustomerLanguage, LANGUAGES, customerLanguage } from '../../../platform/http/headers.ts'
import { readableAmount } from '../../../platform/pages/formats.ts'
import cs from './texts/cs.json'
import da from './texts/da.json'
import de from './texts/de.json'
import el from './texts/el.json'
import en from './texts/en.json'
import es from './texts/es.json'
import fi from './texts/fi.json'
import fr from './texts/fr.json'
import it from './texts/it.json'
import nb from './texts/nb.json'
import nl from './texts/nl.json'
import pl from './texts/pl.json'
import pt from './texts/pt.json'
import sv from './texts/sv.json'

export type Texts = Readonly<Record<keyof typeof en, string>>
export type Saying = keyof Texts

/** The till's texts, by language. A language that is not here is spoken in English. */
export const TEXTS: Readonly<Partial<Record<CustomerLanguage, Texts>> & { en: Texts }> = {
  nl,
  en,
  de,
  fr,
  es,
  it,
  pt,
  pl,
  da,
  sv,
  nb,
  fi,
  cs,
  el,
}

/** How the till speaks: in the first language of the browser that it knows. */
export function speechOf(wanted: readonly string[]) {
  const [found] = wanted.flatMap((tag) => {
    const language = customerLanguage(tag, LANGUAGES)
    return language && TEXTS[language] ? [{ tag, language }] : []
  })
  const { tag, language } = found ?? { tag: 'en-GB', language: 'en' as const }
  const texts = TEXTS[language] ?? en
  return {
    language,
    tag,
    /** Returns a text, with the values that it has in braces. */
    say: (saying: Saying, values: Readonly<Record<string, string>> = {}): string =>
      texts[saying].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    /** Writes minor units as people write money. */
    money: (minor: number, currency: string): string => readableAmount(minor, currency, language, tag),
    /** Writes minor units for a column of one currency; they may be negative. */
    figure: (minor: number, currency: string): string => {
      const digits = decimalsOf(currency)
      const number = Number(toDecimal(Math.abs(minor), digits)) * Math.sign(minor)
      return number.toLocaleString(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits })
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
