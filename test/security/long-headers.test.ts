import { describe, expect, it } from 'vitest'
import {
  bearerOf,
  hasContent,
  waitOf,
  wantsEvents,
  LANGUAGES,
  preferredLanguage,
} from '../../src/platform/http/headers.ts'
import { plainIpAddress } from '../../src/contract/ip-address.ts'

/** So long a text that a test times out if the time grows with the square of the length. */
const LONG = 200_000

const spaces = `a${' '.repeat(LONG)}b`
function asking(name: string, value: string) {
  return new Request('https://hub.nl/', { headers: { [name]: value } })
}

describe('the time to read a text of a client grows only with its length', () => {
  it.each<[string, () => unknown, unknown]>([
    ['quotes that do not end in Prefer', () => waitOf(asking('prefer', '"\\'.repeat(LONG / 2))), null],
    ['spaces in Prefer', () => waitOf(asking('prefer', `wait=${spaces}`)), null],
    ['commas in Prefer', () => waitOf(asking('prefer', `${','.repeat(LONG)}wait=7`)), 7],
    ['spaces in Accept', () => wantsEvents(asking('accept', `text/event-stream;${spaces}`)), true],
    ['quotes that do not end in Accept', () => wantsEvents(asking('accept', '"\\'.repeat(LONG / 2))), false],
    ['semicolons in Accept', () => wantsEvents(asking('accept', '; q='.repeat(LONG / 4))), false],
    [
      'quotes in If-None-Match',
      () => hasContent(asking('if-none-match', '"'.repeat(LONG + 1)), '"a"'),
      false,
    ],
    [
      'spaces in Accept-Language',
      () => preferredLanguage(asking('accept-language', spaces), LANGUAGES),
      'en',
    ],
    [
      'semicolons in Accept-Language',
      () => preferredLanguage(asking('accept-language', ';'.repeat(LONG)), LANGUAGES),
      'en',
    ],
    [
      'languages in Accept-Language',
      () => preferredLanguage(asking('accept-language', 'nl-x,'.repeat(LONG / 5)), LANGUAGES),
      'nl',
    ],
    [
      'languages that nobody has in Accept-Language',
      () => preferredLanguage(asking('accept-language', `${'zh-Latn,'.repeat(LONG / 8)}nl`), LANGUAGES),
      'en',
    ],
    [
      'a token that has no end',
      () => bearerOf(asking('authorization', `Bearer ${'a'.repeat(LONG)}${'='.repeat(LONG)}${spaces}!`)),
      null,
    ],
    ['spaces in ip_address', () => plainIpAddress(spaces), null],
  ])('%s', (_, read, expected) => {
    expect(read()).toBe(expected)
  })
})
