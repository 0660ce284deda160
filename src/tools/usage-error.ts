/** Words that a program does not understand. Its message is one line; the exit code is 2. */
export class UsageError extends Error {}

/** A word as a message shows it: in quotes, and on one line whatever is in it. */
export function quoted(word: string): string {
  return JSON.stringify(word)
}

export function wholeNumber(
  flag: string,
  given: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${flag} must be a whole number from ${least} to ${most}, not ${quoted(given)}`)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time such as `30s`, `500ms` or `2m`, in milliseconds. Throws a UsageError for anything else. */
export function durationOf(flag: string, given: string): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(given) ?? []
  const factor = UNITS[unit]
  if (number !== undefined && factor !== undefined) return Number(number) * factor
  throw new UsageError(`${flag} must be a time such as 30s, 500ms or 2m, not ${quoted(given)}`)
}

/** Why a word is none of those that there are, with the one that was meant, where that is clear. */
export function notAmong(words: readonly string[], given: string): string {
  const [near] = words
    .map((word) => ({ word, edits: editsBetween(word, given.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((one, other) => one.edits - other.edits)
  return `Allowed choices are ${words.join(', ')}.${near ? ` Did you mean ${near.word}?` : ''}`
}

/** How many letters must be added, taken away or replaced to make one word of the other. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [place, letter] of Array.from(one).entries()) {
    const next = [place + 1]
    for (const [at, wanted] of Array.from(other).entries()) {
      const replaced = (row[at] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
