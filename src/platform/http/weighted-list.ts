/**
 * Splits a header at a separator that stands in no quoted text (RFC 9110, section 5.6.4). It goes over the text once: a regular
 * expression can take the square of the length, and the length is the client's.
 */
export function splitUnquoted(text: string, separator: ',' | ';'): string[] {
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

/** A member of a list such as `Accept`: in small letters, with its weight from 0 (not acceptable) to 1. */
export type Weighted = { value: string; weight: number }

/** The members of a list with weights (RFC 9110, section 12.4.2). One whose weight cannot be read is not acceptable. */
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
