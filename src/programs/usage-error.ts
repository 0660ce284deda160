import { nearest } from '../contract/nearest.ts'
import { DAY, HOUR, MINUTE } from '../contract/timestamp.ts'

/** Words that a program does not understand. The message is one line, and the exit code 2. */
export class UsageError extends Error {}

/** Quotes a word for a message, on one line whatever it contains. */
export function quoted(word: string): string {
  return JSON.stringify(word)
}

/** Makes a reader of whole numbers in a range, which throws a UsageError for any other text. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string, name: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${quoted(text)}`)
  }
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: MINUTE, h: HOUR, d: DAY }

/** Reads a time such as `30s`, `500ms` or `2m` into ms. Throws a UsageError for any other text. */
export function durationOf(given: string, flag: string): number {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m|h|d)$/.exec(given) ?? []
  const factor = UNITS[unit]
  if (number !== undefined && factor !== undefined) return Number(number) * factor
  throw new UsageError(`${flag} must be a time such as 30s, 500ms or 2m, not ${quoted(given)}`)
}

/** Returns the one with the given name. Throws a UsageError that lists the names. */
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

/** Lists the known words, and suggests the one that an unknown word may mean. */
export function notAmong(words: readonly string[], given: string): string {
  if (words.length === 0) return 'There are none yet.'
  return `${meant(words, given)}Allowed choices are ${words.join(', ')}.`
}

/** Asks whether another word was meant. Returns an empty text if none is near. */
export function meant(words: readonly string[], given: string): string {
  const byName = new Map(words.map((word) => [word.toLowerCase(), word]))
  const near = nearest(given.toLowerCase(), [...byName.keys()])
  return near === null ? '' : `Did you mean ${byName.get(near)}? `
}
