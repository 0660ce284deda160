import { expect, it } from 'vitest'
import { retryAfterOf } from '../../../src/platform/http/headers.ts'

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

it('a Retry-After of a date is rounded up: nobody comes back too early', () => {
  expect(retryAfterOf(new Headers({ 'retry-after': inSeconds(90) }), NOW + 400)).toBe(90)
})

it('no Retry-After asks for no pause', () => {
  expect(retryAfterOf(new Headers(), NOW)).toBeNull()
})
