import type { CustomerLanguage } from '../platform/customer-language.ts'
import { cs } from './texts/cs.ts'
import { da } from './texts/da.ts'
import { de } from './texts/de.ts'
import { el } from './texts/el.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fi } from './texts/fi.ts'
import { fr } from './texts/fr.ts'
import { it } from './texts/it.ts'
import { nb } from './texts/nb.ts'
import { nl } from './texts/nl.ts'
import { pl } from './texts/pl.ts'
import { pt } from './texts/pt.ts'
import { sv } from './texts/sv.ts'

/** Titles of pages: how a payment stands, or why there is no more to tell. */
const TITLES = [
  'SUCCESS',
  'RETURNED',
  'PART',
  'PENDING',
  'OPEN',
  'FAILURE',
  'CANCELLED',
  'EXPIRED',
  'CONNECTING',
  'UNREACHABLE',
  'UNKNOWN',
  'TOO_MANY',
] as const
export type Title = (typeof TITLES)[number]

/** Sentences below a title. Several titles share some of them. */
const SENTENCE_NAMES = [
  'received',
  'soon',
  'free',
  'retry',
  'contact',
  'days',
  'link',
  'later',
  'wait',
] as const
export type Sentence = (typeof SENTENCE_NAMES)[number]

/** What stands before a fact, and what a link says. After `backTo` comes the name of the shop. */
const LABELS = ['order', 'amount', 'paid', 'paidOn', 'refunded', 'refunding', 'chargedBack'] as const
const WAYS = ['back', 'backTo', 'pay', 'again', 'receipt'] as const

const NAMES = [...TITLES, ...SENTENCE_NAMES, ...LABELS, ...WAYS] as const

/** Everything that the customer's pages say, in one language. */
export type Texts = Record<(typeof NAMES)[number], string>
/** The same in the order of its names, which the Worker then has once, and not in each language. */
export type TextList = ListOf<typeof NAMES>
type ListOf<Names extends readonly string[]> = { readonly [Place in keyof Names]: string }

const LISTS: Readonly<Record<CustomerLanguage, TextList>> = {
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

function textsOf(list: TextList): Texts {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of a list has a text for each name
  return Object.fromEntries(NAMES.map((name, place) => [name, list[place]])) as Texts
}

const made = new Map<CustomerLanguage, Texts>()

/** The texts in a language. */
export function textsIn(language: CustomerLanguage): Texts {
  const known = made.get(language) ?? textsOf(LISTS[language])
  made.set(language, known)
  return known
}

/** The sentences below each title, in their order. */
export const SENTENCES: Record<Title, readonly Sentence[]> = {
  SUCCESS: ['received'],
  RETURNED: ['days'],
  PART: ['contact'],
  PENDING: ['soon'],
  OPEN: [],
  FAILURE: ['free', 'retry'],
  CANCELLED: ['free', 'retry'],
  EXPIRED: ['retry'],
  CONNECTING: ['wait'],
  UNREACHABLE: ['free', 'later'],
  UNKNOWN: ['link'],
  TOO_MANY: ['later'],
}
