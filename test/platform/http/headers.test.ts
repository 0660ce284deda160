import { describe, expect, it } from 'vitest'
import {
  hasContent,
  waitOf,
  wantsEvents,
  LANGUAGES,
  customerLanguage,
  preferredLanguage,
  retryAfterOf,
} from '../../../src/platform/http/headers.ts'

function asking(headers: Record<string, string> | [string, string][]) {
  return new Request('https://hub.nl/v2/paymentjobs/1', { headers })
}

describe('Prefer: wait (RFC 7240)', () => {
  it.each([
    ['wait=10', 10],
    ['wait=1', 1],
    ['WAIT=10', 10],
    ['wait = 10', 10],
    ['wait="10"', 10],
    ['respond-async, wait=10', 10],
    ['foo="a, wait=20", wait=10', 10],
    [String.raw`foo="a\", wait=20", wait=10`, 10],
    [String.raw`foo=\, wait=10`, 10],
    ['wait=10; foo=bar', 10],
    ['return=minimal; wait=7, wait=10', 10],
    ['wait=10, wait=20', 10],
    ['wait=60', 55],
    ['wait=61', 55],
    ['wait=99999999999999999999', 55],
  ])('%s waits', (prefer, seconds) => {
    expect(waitOf(asking({ prefer }))).toBe(seconds)
  })

  it.each([
    '',
    'wait',
    'wait=',
    'wait=""',
    'wait=0',
    'wait=-1',
    'wait=1.5',
    'wait=1e2',
    'wait=ten',
    'wait=10 s',
    'wait="10',
    'await=10',
    'wait2=10',
    'respond-async',
    'wait=ten, wait=10',
    '""',
  ])('%j is ignored', (prefer) => {
    expect(waitOf(asking({ prefer }))).toBeNull()
  })

  it('is null if it is missing', () => {
    expect(waitOf(asking({}))).toBeNull()
  })

  it('is found in any of several header fields', () => {
    expect(
      waitOf(
        asking([
          ['prefer', 'respond-async'],
          ['prefer', 'wait=5'],
        ]),
      ),
    ).toBe(5)
  })
})

describe('Accept', () => {
  it.each([
    ['text/event-stream', true],
    ['Text/Event-Stream', true],
    ['text/event-stream; charset=utf-8', true],
    ['text/event-stream, */*', true],
    ['application/json;q=0.5, text/event-stream', true],
    ['text/event-stream, application/json', false],
    ['text/event-stream;q=0.5, application/json', false],
    ['text/event-stream;q=0', false],
    ['text/event-stream; q=0.0', false],
    ['application/json', false],
    ['*/*', false],
    ['text/*', false],
    ['*/*, application/json;q=0', false],
    ['text/event-stream;q=0.1, */*', false],
    ['text/event-stream;q=0.5, application/*', false],
    ['text/event-stream;q=0.5, application/*;q=0.2, */*', true],
    ['text/event-stream, */*;q=0.1', true],
    ['text/event-stream;q=0.5, */*;q=0.5', true],
    ['text/event-stream;q=0.5, application/json;q=0.5, */*;q=0.1', false],
    ['text/event-stream;q=0.5, application/json;q=0.1, */*', true],
    ['text/event-stream;q=0.5, application/json ; charset=utf-8 ; Q=0.4', true],
    ['application/json;title="a, text/event-stream;q=1"', false],
    ['text/event-stream;title="a;q=0"', true],
    ['text/event-stream;q=', false],
    ['text/event-stream;q=high', false],
    ['text/event-stream;q=2', false],
    ['text/event-stream;q=-1', false],
    ['text/event-stream;q=1.1', false],
    ['text/event-stream;q=0.5.5', false],
    ['text/event-stream;q="1"', false],
    ['', false],
  ])('%s wants events: %s', (accept, wants) => {
    expect(wantsEvents(asking({ accept }))).toBe(wants)
  })
})

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b","a"', true],
    ['*', true],
    [' * ', true],
    ['"b"', false],
    ['a', false],
    ['"aa"', false],
    ['', false],
  ])('%s has the content of "a": %s', (tags, has) => {
    expect(hasContent(asking({ 'if-none-match': tags }), '"a"')).toBe(has)
  })

  it('that is missing matches nothing', () => {
    expect(hasContent(asking({}), '"a"')).toBe(false)
  })
})

describe('the language of texts for customers', () => {
  it.each([
    ['nl', 'nl'],
    ['nl-BE', 'nl'],
    ['de_AT', 'de'],
    ['PT-br', 'pt'],
    ['el-GR', 'el'],
    ['nb-NO', 'nb'],
    ['no', 'nb'],
    ['nn_NO', 'nb'],
    ['pt_PT_ao90', 'pt'],
    ['zh', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh_HK', 'zh-Hant'],
    ['zh-Hant-CN', 'zh-Hant'],
    ['ar-MA', 'ar'],
  ])('for the tag %s is %s', (tag, language) => {
    expect(customerLanguage(tag, LANGUAGES)).toBe(language)
  })

  it.each(['fil', 'fur', 'ko', 'noe', 'n', '', 'ar-Latn', 'zh-Latn'])(
    'for the tag %j is none of them',
    (tag) => {
      expect(customerLanguage(tag, LANGUAGES)).toBeUndefined()
    },
  )

  it('is one that the page has', () => {
    expect(customerLanguage('it', ['en', 'nl'])).toBeUndefined()
  })

  it.each([
    ['it-IT,it;q=0.9,en;q=0.8', 'it'],
    ['ko,no;q=0.5', 'nb'],
    ['ko', 'en'],
    ['zh-HK,zh-TW;q=0.9,zh;q=0.8,en;q=0.7', 'zh-Hant'],
    ['zh-CN,zh;q=0.9,ja;q=0.8', 'zh-Hans'],
    ['*', 'en'],
    ['', 'en'],
    ['nl;q=0.2,fr;q=0.9', 'fr'],
    ['de;q=0,ko', 'en'],
  ])('for a browser that asks for %j is %s', (asked, language) => {
    const request = new Request('https://hub.test/', { headers: { 'accept-language': asked } })
    expect(preferredLanguage(request, LANGUAGES)).toBe(language)
  })
})

const NOW = Date.UTC(2026, 0, 31, 10)
function inSeconds(seconds: number): string {
  return new Date(NOW + seconds * 1000).toUTCString()
}

it.each([
  ['seconds', '120', 120],
  ['a date', inSeconds(90), 90],
  ['no time at all', '0', null],
  ['a date that is past', inSeconds(-60), null],
  ['the present', inSeconds(0), null],
  ['no date', 'soon', null],
])('a Retry-After of %s', (_, text, seconds) => {
  expect(retryAfterOf(new Headers({ 'retry-after': text }), NOW)).toBe(seconds)
})

it('a Retry-After with a date is rounded up, so that no client comes back too early', () => {
  expect(retryAfterOf(new Headers({ 'retry-after': inSeconds(90) }), NOW + 400)).toBe(90)
})

it('without a Retry-After there is no pause', () => {
  expect(retryAfterOf(new Headers(), NOW)).toBeNull()
})
