/** Tags that have been judged: Intl takes longer than all the rest of an order. */
const judged = new Map<string, string | undefined>()
const MOST_JUDGED = 1000

/**
 * The canonical BCP 47 tag (RFC 5646) of a language as clients write it (`nl`, `nl-NL`, `nl_NL`), or undefined
 * when it is not well formed or its language is unknown.
 */
export const canonicalLanguage = (text: string): string | undefined => {
  if (judged.has(text)) return judged.get(text)
  if (judged.size >= MOST_JUDGED) judged.clear()
  const tag = judge(text)
  judged.set(text, tag)
  return tag
}

const judge = (text: string): string | undefined => {
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'))
    if (tag === undefined) return undefined
    const { language } = new Intl.Locale(tag)
    return languageNames().of(language) === undefined ? undefined : tag
  } catch {
    return undefined
  }
}

let names: Intl.DisplayNames | undefined
const languageNames = () => (names ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))
