import { nearest } from '../contract/nearest.ts'

/** Words that a program does not understand. Its message is one line; the exit code is 2. */
export class UsageError extends Error {}

/** A word as a message shows it: in quotes, and on one line whatever is in it. */
export function quoted(word: string): string {
  return JSON.stringify(word)
}

/** Reads a whole number between two others. What it returns throws a UsageError for any other text. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string, name: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${quoted(text)}`)
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A time such as `30s`, `500ms` or `2m`, in milliseconds. Throws a UsageError for anything else.
 */
export function durationOf(given: string, flag: string): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(given) ?? []
  const factor = UNITS[unit]
  if (number !== undefined && factor !== undefined) return Number(number) * factor
  throw new UsageError(`${flag} must be a time such as 30s, 500ms or 2m, not ${quoted(given)}`)
}

/** The one of some that has the name that was given. Throws a UsageError that says which there are. */
export function oneNamed<One>(
  what: string,
  given: string,
  all: readonly One[],
  nameOf: (one: One) => string,
): One {
  const one = all.find((each) => nameOf(each) === given)
  if (one !== undefined) return one
  throw new UsageError(`There is no ${what} ${quoted(given)}. ${notAmong(all.map(nameOf), given)}`)
}

/** Why a word is none of those that there are, with the one that was meant, where that is clear. */
export function notAmong(words: readonly string[], given: string): string {
  if (words.length === 0) return 'There are none yet.'
  return `${meant(words, given)}Allowed choices are ${words.join(', ')}.`
}

/** The word that was meant, as a question; an empty text where that is not clear. */
export function meant(words: readonly string[], given: string): string {
  const byName = new Map(words.map((word) => [word.toLowerCase(), word]))
  const near = nearest(given.toLowerCase(), [...byName.keys()])
  return near === null ? '' : `Did you mean ${byName.get(near)}? `
}
