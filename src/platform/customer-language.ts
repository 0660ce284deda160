/** The languages of the texts for customers, by their code of ISO 639-1. The names of payment methods stand in this order. */
// prettier-ignore
export const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'da', 'sv', 'nb', 'fi', 'cs', 'el'] as const
export type CustomerLanguage = (typeof LANGUAGES)[number]

/** Norwegian has two written forms and a code for both: who reads one of them reads Bokmål. */
const SAME_AS: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/** The language of `among` nearest to a language tag (`nl_BE` → `nl`), or undefined. */
export function customerLanguage<Language extends CustomerLanguage>(
  tag: string,
  among: readonly Language[],
): Language | undefined {
  const code = tag.slice(0, 2).toLowerCase()
  return among.find((language) => (SAME_AS[code] ?? code) === language && !/^[a-z]/i.test(tag.slice(2)))
}
