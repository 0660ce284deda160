import type { CustomerLanguage } from '../platform/http/headers.ts'
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

/** Texts with `{shop}` name the shop; each has a second text for a shop without a name. */
export type Texts = Readonly<Record<keyof typeof en, string>>

/** A translation that lacks a text does not compile. */
const TEXTS: Readonly<Record<CustomerLanguage, Texts>> = {
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

export function textsIn(language: CustomerLanguage): Texts {
  return TEXTS[language]
}

/** The titles, and the sentences below each. */
export const SENTENCES = {
  SUCCESS: ['received'],
  REFUNDED: ['days'],
  PART_REFUNDED: ['days'],
  REFUNDING: ['days'],
  CHARGED_BACK: [],
  PART_CHARGED_BACK: [],
  PART: ['contact'],
  PENDING: ['soon'],
  RESERVED: ['takes'],
  PART_RESERVED: ['takes'],
  RELEASED: ['free'],
  OPEN: [],
  FAILURE: ['free', 'retry'],
  CANCELLED: ['free', 'retry'],
  EXPIRED: ['retry'],
  CONNECTING: ['wait'],
  CANCEL: [],
  UNREACHABLE: ['free', 'later'],
  UNAVAILABLE: ['later'],
  UNKNOWN: ['link'],
  TOO_MANY: ['later'],
} as const satisfies Partial<Record<keyof Texts, readonly (keyof Texts)[]>>

export type Title = keyof typeof SENTENCES
