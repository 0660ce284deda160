/**
 * Writes a value as a line of JSON. Some readers also end lines at U+0085, U+2028 and U+2029, so these are escaped,
 * which every parser undoes.
 */
export function jsonLine(value: unknown): string {
  return lineOf(JSON.stringify(value))
}

/** Ends JSON as a line. */
export function lineOf(json: string): string {
  const safe = json.replaceAll(/[\u0085\u2028\u2029]/g, (letter) => `\\u${hexOf(letter)}`)
  return `${safe}\n`
}

function hexOf(letter: string): string {
  return letter.charCodeAt(0).toString(16).padStart(4, '0')
}

/** The longest line (UTF-16 code units) that the hub would take in a restore. */
const LONGEST = 8 * 1024 * 1024

/**
 * Yields the lines of a text that comes in parts. A line ends at a line feed only, unlike those of Node's `readline`.
 * Throws an Error if a line is too long.
 */
export async function* splitLines(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let line: string[] = []
  let length = 0
  for await (const part of parts) {
    const [end = '', ...next] = part.split('\n')
    line.push(end)
    length += end.length
    for (const begin of next) {
      yield line.join('')
      line = [begin]
      length = begin.length
    }
    if (length > LONGEST) throw new Error(`A line has more than ${LONGEST} characters.`)
  }
  if (length > 0) yield line.join('')
}
