import * as v from 'valibot'
import { MUST_BE_TEXT, text } from './values.ts'

/**
 * Returns the canonical BCP 47 tag (RFC 5646) of a language as clients write it (`nl`, `nl-NL`,
 * `nl_NL`), or undefined if it is not well formed. Only the form counts, because the runtime knows
 * few of the world's languages.
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    // WordPress has `pt_PT_ao90`, which is not a variant by RFC 5646.
    return Intl.getCanonicalLocales(tag.replaceAll('_', '-').replace(/-ao90$/i, ''))[0]
  } catch {
    return undefined
  }
}

/** BCP 47 (RFC 5646), also with underscores, and the `pt_PT_ao90` of WordPress. */
const LANGUAGE = String.raw`^([A-Za-z]{2,3}|[A-Za-z]{5,8})([-_][A-Za-z]{4})?([-_]([A-Za-z]{2}|\d{3}))?([-_]([A-Za-z\d]{5,8}|\d[A-Za-z\d]{3}))*([-_][\dA-WYZa-wyz]([-_][A-Za-z\d]{2,8})+)*([-_][Xx]([-_][A-Za-z\d]{1,8})+)?([-_][Aa][Oo]90)?$`

const LONGEST_LANGUAGE = 35

const isLanguage = v.check<string, string>(
  (tag) => canonicalLanguage(tag) !== undefined,
  'must be a language code such as nl or nl-NL',
)

export const languageTag = v.pipe(
  v.string(MUST_BE_TEXT),
  v.maxLength(LONGEST_LANGUAGE, `must have at most ${LONGEST_LANGUAGE} characters`),
  isLanguage,
)

export const sentLanguage = v.pipe(
  text(LONGEST_LANGUAGE),
  isLanguage,
  v.metadata({ pattern: LANGUAGE }),
  v.description(
    "The customer's language: a well-formed BCP 47 tag, also with an underscore. It comes back as you sent it. If the hub does not have " +
      "the language, its pages use the browser's, or English.",
  ),
  v.examples(['nl-NL']),
)
