/**
 * A tag's language (or its extended language, as in `zh-yue`), script and region (RFC 5646, section
 * 2.1), whatever follows them.
 */
const TAG =
  /^(?:[a-z]{2,3}[-_](?=[a-z]{3}(?![^-_])))?([a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?)(?![^-_])/i

/** Languages that the hub reads as another: Norwegian has two written forms, Chinese one. */
const READ_AS: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', yue: 'zh' }

const AMERICAS = '419 AR BO BR BZ CA CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE'

/** The regions that share one form of a language; all others share another (CLDR, languageMatching). */
const SHARED: Readonly<Record<string, string>> = {
  en: 'US AS CA GU MH MP PH PR UM VI',
  es: AMERICAS,
  pt: AMERICAS,
  zh: 'HK MO',
}

/**
 * Returns the language that a tag names, with the script and the form that are usual in its region
 * (CLDR, likely subtags). Plain Portuguese is that of Portugal, as PSPs have it.
 */
export function readLanguage(tag: string) {
  const [, named] = TAG.exec(tag) ?? []
  if (named === undefined) return undefined
  const locale = new Intl.Locale(named.replaceAll('_', '-'))
  const { script, region = '' } = locale.maximize()
  const code = READ_AS[locale.language] ?? locale.language
  const country = code === 'pt' ? (locale.region ?? 'PT') : region
  return { tag, code, script, region: locale.region, isShared: SHARED[code]?.split(' ').includes(country) }
}

type Locale = NonNullable<ReturnType<typeof readLanguage>>

/**
 * Returns a function that finds, in a list (`nl_BE` or `nl-BE` or `nl`, separated by spaces), the
 * locale that suits readers of a language tag best: of the same region, or else with the same form of
 * the language, or else the first of the language. Never one in another script: readers of
 * Traditional Chinese do not get Simplified. Undefined if there is none. Reads the list at the first
 * question: a Worker that starts has several lists, and the reading took a quarter of its start.
 */
export function closestLocale(list: string): (asked: string) => string | undefined {
  let known: Locale[] | undefined
  return (asked) => {
    known ??= list.split(' ').flatMap((locale) => readLanguage(locale) ?? [])
    const reader = readLanguage(asked)
    if (!reader) return undefined
    const readable = known.filter(({ code, script }) => code === reader.code && script === reader.script)
    const best =
      readable.find(({ region }) => region === reader.region) ??
      readable.find(({ isShared }) => isShared === reader.isShared) ??
      readable[0]
    return best?.tag
  }
}
