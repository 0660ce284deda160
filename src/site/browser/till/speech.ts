import { decimalsOf, parseAmount, toDecimal } from '../../../contract/money.ts'
import { type CustomerLanguage, LANGUAGES, customerLanguage } from '../../../platform/http/headers.ts'
import { readableAmount } from '../../../platform/pages/formats.ts'
import ar from './texts/ar.json'
import cs from './texts/cs.json'
import da from './texts/da.json'
import de from './texts/de.json'
import el from './texts/el.json'
import en from './texts/en.json'
import es from './texts/es.json'
import fi from './texts/fi.json'
import fr from './texts/fr.json'
import it from './texts/it.json'
import ja from './texts/ja.json'
import nb from './texts/nb.json'
import nl from './texts/nl.json'
import pl from './texts/pl.json'
import pt from './texts/pt.json'
import sv from './texts/sv.json'
import tr from './texts/tr.json'
import uk from './texts/uk.json'
import zhHans from './texts/zh-Hans.json'
import zhHant from './texts/zh-Hant.json'

export type Texts = Readonly<Record<keyof typeof en, string>>
export type Saying = keyof Texts

/** The till's texts. A translation that lacks a text does not compile. */
export const TEXTS: Readonly<Record<CustomerLanguage, Texts>> = {
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
  tr,
  uk,
  ar,
  ja,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
}

/** How the till speaks: in the first language of the browser that it knows. */
export function speechOf(wanted: readonly string[]) {
  const [found] = wanted.flatMap((tag) => {
    const language = customerLanguage(tag, LANGUAGES)
    return language ? [{ tag, language }] : []
  })
  const { tag: wantedTag, language } = found ?? { tag: 'en-GB', language: 'en' as const }
  const tag = new Intl.Locale(wantedTag, { numberingSystem: 'latn' }).toString()
  const texts = TEXTS[language]
  return {
    language,
    /** The locale for dates and numbers, with the digits that amounts have. */
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
