import * as fc from 'fast-check'
import { expect } from 'vitest'
import {
  preferredLanguage,
  LONGEST_WAIT,
  hasContent,
  waitOf,
  wantsEvents,
  prefers,
  readWeighted,
  bearerOf,
  sentBearer,
  retryAfterOf,
} from '../../../src/platform/http/headers.ts'
import { headersAround } from '../inputs.ts'
import { parser } from '../parser.ts'

function asking(headers: Record<string, string>): Request {
  return new Request('https://hub.example.nl/', { headers })
}
const LANGUAGES = ['en', 'nl', 'de', 'fr'] as const
const token = fc.stringMatching(/^[\w\-.~+/]{1,40}={0,2}$/)
const weighted = fc.record({
  value: fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/),
  weight: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
})

export const HEADERS = [
  parser(
    'accept',
    headersAround('text/event-stream, application/json;q=0.9', '*/*;q=0.1', 'a;b="q,;q=1"'),
    (text) => {
      for (const { value, weight } of readWeighted(text)) {
        expect(value).toBe(value.toLowerCase().trim())
        expect(weight >= 0 && weight <= 1).toBe(true)
      }
      expect(wantsEvents(asking({ accept: text }))).toEqual(expect.any(Boolean))
    },
  ),
  parser('accept-printed', fc.array(weighted, { minLength: 1, maxLength: 6 }), (members) => {
    const printed = members.map(({ value, weight }) => `${value};q=${weight}`).join(', ')
    expect(readWeighted(printed)).toEqual(members)
  }),
  parser(
    'accept-language',
    headersAround('nl-NL,nl;q=0.9,en;q=0.8', 'zh-Hant-TW', '*', 'x-private;q=0'),
    (text) => {
      expect(LANGUAGES).toContain(preferredLanguage(asking({ 'accept-language': text }), LANGUAGES))
    },
  ),
  parser(
    'prefer',
    headersAround('wait=30, trace-head', 'respond-async; wait="7"', 'wait=1e9', 'x="wait=1, wait=2"'),
    (text) => {
      const request = asking({ prefer: text })
      const wait = waitOf(request)
      expect(wait === null || (Number.isInteger(wait) && wait > 0 && wait <= LONGEST_WAIT)).toBe(true)
      expect(prefers(request, 'trace-head')).toEqual(expect.any(Boolean))
    },
  ),
  parser(
    'prefer-printed',
    fc.record({ seconds: fc.integer({ min: 1, max: LONGEST_WAIT }), quoted: fc.boolean() }),
    (sent) => {
      const value = sent.quoted ? `"${sent.seconds}"` : sent.seconds
      expect(waitOf(asking({ prefer: `trace-head, wait=${value}` }))).toBe(sent.seconds)
    },
  ),
  parser('if-none-match', headersAround('"abc"', 'W/"abc", "d"', '*', '"'), (text) => {
    expect(hasContent(asking({ 'if-none-match': text }), '"none such"')).toBe(
      text.trim() === '*' || text.includes('"none such"'),
    )
  }),
  parser('authorization', headersAround('Bearer abc.def-~+/==', 'bearer  x ', 'Basic eDp5'), (text) => {
    const request = asking({ authorization: text })
    const found = bearerOf(request)
    expect(found === null || /^[\w\-.~+/]+=*$/.test(found)).toBe(true)
    if (found !== null) expect(sentBearer(request)).toBe(true)
  }),
  parser('authorization-printed', token, (text) => {
    expect(bearerOf(asking({ authorization: `Bearer ${text}` }))).toBe(text)
  }),
  parser('retry-after', headersAround('120', 'Sun, 01 Nov 2026 10:00:00 GMT', '1e9', '-1'), (text) => {
    const seconds = retryAfterOf(new Headers({ 'retry-after': text }), Date.parse('2026-11-01T09:00:00Z'))
    expect(seconds === null || (Number.isInteger(seconds) && seconds > 0)).toBe(true)
  }),
]
