/** The languages that the customer's pages are written in, by their code of ISO 639-1. */
export const LANGUAGES = [
  'nl',
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'pl',
  'da',
  'sv',
  'nb',
  'fi',
  'cs',
  'el',
] as const
export type PageLanguage = (typeof LANGUAGES)[number]

/** Norwegian has two written forms and a code for both: who reads one of them reads Bokmål. */
const SAME_AS: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' }

/** The language of `among` nearest to a language tag (`nl_BE` → `nl`), or undefined. */
export const pageLanguage = <Language extends PageLanguage>(
  tag: string,
  among: readonly Language[],
): Language | undefined => {
  const code = tag.slice(0, 2).toLowerCase()
  return among.find((language) => (SAME_AS[code] ?? code) === language && !/^[a-z]/i.test(tag.slice(2)))
}

/**
 * The language of `among` that a browser asks for first (RFC 9110, section 12.5.4), English where it asks for none of them. Its
 * list comes in order of preference.
 */
export const preferredLanguage = <Language extends PageLanguage>(
  request: Request,
  among: readonly Language[],
): Language | 'en' =>
  (request.headers.get('accept-language') ?? '')
    .split(',')
    .map((tag) => pageLanguage(tag.trim().replace(/;.*$/, ''), among))
    .find((language) => language !== undefined) ?? 'en'
