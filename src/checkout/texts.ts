import type { PageLanguage } from '../pages/language.ts'
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
export type Title =
  | 'SUCCESS'
  | 'RETURNED'
  | 'PART'
  | 'PENDING'
  | 'OPEN'
  | 'FAILURE'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'CONNECTING'
  | 'UNREACHABLE'
  | 'UNKNOWN'
  | 'TOO_MANY'

/** Sentences below a title. Several titles share some of them. */
export type Sentence = 'received' | 'soon' | 'free' | 'retry' | 'contact' | 'days' | 'link' | 'later' | 'wait'

type Label = 'order' | 'amount' | 'paid' | 'paidOn' | 'refunded' | 'refunding' | 'chargedBack'

/** What a link or a button says. After `backTo` comes the name of the shop. */
type Way = 'back' | 'backTo' | 'pay' | 'again' | 'receipt'

/** Everything that the customer's pages say, in one language. */
export type Texts = Record<Title | Sentence | Label | Way, string>

export const TEXTS: Record<PageLanguage, Texts> = { nl, en, de, fr, es, it, pt, pl, da, sv, nb, fi, cs, el }

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
