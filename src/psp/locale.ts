import { canonicalLanguage } from '../contract/language.ts'
import { remembered } from '../platform/remembered.ts'

/** PSPs have one Norwegian, which clients write in three ways. */
const NORWEGIAN = new Set(['no', 'nn', 'nb'])

/**
 * Finds the locale of a PSP's list (`nl_BE` or `nl-BE` or `nl`, with spaces between) that comes closest to a language as clients
 * write it: the same region if there is one, else the first of the language. Undefined when the list has neither: then the PSP goes
 * by the customer's browser.
 */
export function closestLocale(list: string): (asked: string) => string | undefined {
  const known = list.split(' ').map((locale) => {
    const [code = '', place] = locale.split(/[-_]/)
    return { locale, code, place }
  })
  return remembered((asked) => {
    const tag = canonicalLanguage(asked)
    if (tag === undefined) return undefined
    const { language, region } = new Intl.Locale(tag)
    const codes = NORWEGIAN.has(language) ? NORWEGIAN : new Set([language])
    const ofLanguage = known.filter(({ code }) => codes.has(code))
    return (ofLanguage.find(({ place }) => place === region) ?? ofLanguage[0])?.locale
  })
}
