import { canonicalLanguage } from '../domain/language.ts'
import { readWeighted } from '../http/weighted-list.ts'

/** The languages of the texts for customers that the API tells. */
// prettier-ignore
export const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'da', 'sv', 'nb', 'fi', 'cs', 'el'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language of these texts that a tag asks for, or undefined. Norwegian is written in three ways. */
export const languageOf = (tag: string): Language | undefined => {
  const [code = ''] = (canonicalLanguage(tag) ?? '').split('-')
  const asked = code === 'no' || code === 'nn' ? 'nb' : code
  return LANGUAGES.find((language) => language === asked)
}

/** The language of an `Accept-Language` header (RFC 9110, section 12.5.4) that these texts have; else English. */
export const acceptedLanguage = (header: string | null): Language => {
  const ranges = readWeighted(header).flatMap(({ value, weight }) => {
    const language = weight > 0 ? languageOf(value) : undefined
    return language === undefined ? [] : [{ language, weight }]
  })
  return ranges.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? 'en'
}
