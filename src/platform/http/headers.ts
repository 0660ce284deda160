import { closestLocale } from '../../contract/language.ts'

/**
 * Splits a header at separators outside quoted texts (RFC 9110, section 5.6.4), in one pass over the
 * text: a regular expression may take quadratic time, and the client chooses the length.
 */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\\' && isQuoted) at++
    else if (letter === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** A member of a list such as `Accept`, in small letters. Weight 0: not acceptable. */
type Weighted = { value: string; weight: number }

/** Reads a list with weights (RFC 9110, section 12.4.2). An unreadable weight counts as 0. */
export function readWeighted(header: string | null): Weighted[] {
  return splitUnquoted((header ?? '').toLowerCase(), ',').map((member) => {
    const [value = '', ...parameters] = splitUnquoted(member, ';').map((part) => part.trim())
    return { value, weight: weightIn(parameters) }
  })
}

function weightIn(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', ...value] = parameter.split('=')
    if (name.trim() === 'q') return weightOf(value.join('=').trim())
  }
  return 1
}

function weightOf(text: string): number {
  return /^(0(\.\d*)?|1(\.0*)?)$/.test(text) ? Number(text) : 0
}

/** The most languages of a client that count: browsers send far fewer. */
const MOST_LANGUAGES = 100

/** Returns the client's preferred language (RFC 9110, section 12.5.4), or English. */
export function preferredLanguage<Language extends CustomerLanguage>(
  { headers }: Request,
  among: readonly Language[],
): Language | 'en' {
  const ranges = readWeighted(headers.get('accept-language')).filter(({ weight }) => weight > 0)
  const languages = ranges
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, MOST_LANGUAGES)
    .map(({ value }) => customerLanguage(value, among))
  return languages.find((language) => language !== undefined) ?? 'en'
}

/** The languages of texts for customers (BCP 47). */
// prettier-ignore
export const LANGUAGES = ['en', 'nl', 'de', 'fr', 'es', 'it', 'pt', 'pl', 'da', 'sv', 'nb', 'fi', 'cs', 'el', 'tr', 'uk', 'ar', 'ja', 'zh-Hans', 'zh-Hant'] as const
export type CustomerLanguage = (typeof LANGUAGES)[number]

const closestLanguage = closestLocale(LANGUAGES.join(' '))

/** Returns the language of `among` that readers of a language tag read (`nl_BE` → `nl`), or undefined. */
export function customerLanguage<Language extends CustomerLanguage>(
  tag: string,
  among: readonly Language[],
): Language | undefined {
  const language = closestLanguage(tag)
  return among.find((known) => known === language)
}

/** The longest wait (s) for an answer, also for a client that asks for more: proxies give up after 60. */
export const LONGEST_WAIT = 55

/**
 * Returns how many seconds a client wants to wait at most, by `Prefer: wait=N` (RFC 7240, section
 * 4.3), or null. If there are several, the first counts; a malformed one is ignored (section 2).
 */
export function waitOf({ headers }: Request): number | null {
  const elements = splitUnquoted(headers.get('prefer') ?? '', ',')
  const first = elements.find((element) => /^\s*wait\s*([=;]|$)/i.test(element))
  const [, seconds, quoted] = /^\s*wait\s*=\s*(?:(\d+)|"(\d+)")\s*(?:;|$)/i.exec(first ?? '') ?? []
  const wait = Math.min(Number(seconds ?? quoted ?? 0), LONGEST_WAIT)
  return wait > 0 ? wait : null
}

/** Tells whether `Prefer` has a preference without a value (RFC 7240, section 2). */
export function prefers({ headers }: Request, preference: string): boolean {
  return splitUnquoted(headers.get('prefer') ?? '', ',').some(
    (element) => element.split(';', 1)[0]?.trim().toLowerCase() === preference,
  )
}

/**
 * Tells whether a client prefers server-sent events over JSON, by its `Accept` (RFC 9110, section
 * 12.5.1). The client must name them: a client that accepts anything expects an answer that ends,
 * and a stream does not. With equal weights, events win over a wildcard, but JSON by name wins over
 * events.
 */
export function wantsEvents({ headers }: Request): boolean {
  const ranges = readWeighted(headers.get('accept'))
  const weightOfType = (type: string) => ranges.find(({ value }) => value === type)?.weight
  const events = weightOfType('text/event-stream') ?? 0
  const named = weightOfType('application/json')
  if (events === 0) return false
  return named === undefined
    ? events >= (weightOfType('application/*') ?? weightOfType('*/*') ?? 0)
    : events > named
}

/** Compares `If-None-Match` weakly with an entity tag (RFC 9110, section 13.1.2). */
export function hasContent({ headers }: Request, etag: string): boolean {
  const field = headers.get('if-none-match')
  if (field === null) return false
  return field.trim() === '*' || Array.from(field.matchAll(/"[^"]*"/g), ([tag]) => tag).includes(etag)
}

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1), or null. */
export function bearerOf(request: Request): string | null {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

/** Tells whether the client sent a Bearer token. Other schemes do not count (RFC 6750, section 3.1). */
export function sentBearer(request: Request): boolean {
  return /^Bearer +[^ ]/i.test(request.headers.get('authorization') ?? '')
}

/** Returns the seconds to wait, from seconds or a date (RFC 9110, section 10.2.3), or null. */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}
