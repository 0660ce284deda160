/**
 * The canonical BCP 47 tag (RFC 5646) of a language as clients write it (`nl`, `nl-NL`, `nl_NL`),
 * or undefined when it is not well formed. Its form alone counts: the runtime's own data know few
 * of the world's languages.
 */
export function canonicalLanguage(text: string): string | undefined {
  try {
    // WordPress has a `pt_PT_ao90`, though no variant of RFC 5646 looks like that.
    return Intl.getCanonicalLocales(text.replaceAll('_', '-').replace(/-ao90$/i, ''))[0]
  } catch {
    return undefined
  }
}
