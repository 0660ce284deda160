import { type CustomerLanguage, customerLanguage } from '../customer-language.ts'
import { readWeighted } from './weighted-list.ts'

/** The language of `among` that a client would rather have than the others (RFC 9110, section 12.5.4); English where it wants none of them. */
export function preferredLanguage<Language extends CustomerLanguage>(
  { headers }: Request,
  among: readonly Language[],
): Language | 'en' {
  const ranges = readWeighted(headers.get('accept-language')).filter(({ weight }) => weight > 0)
  return (
    ranges
      .toSorted((one, other) => other.weight - one.weight)
      .map(({ value }) => customerLanguage(value, among))
      .find((language) => language !== undefined) ?? 'en'
  )
}
