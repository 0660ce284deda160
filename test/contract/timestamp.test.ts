import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatMicros,
  formatWithOffset,
  isDay,
  parseMicros,
  stampAfter,
} from '../../src/contract/timestamp.ts'

describe('a stamp', () => {
  it.each([
    ['is the moment of the clock', 5_000_000, 6000, 6_000_000],
    ['is one microsecond later when the clock stands still', 6_000_000, 6000, 6_000_001],
    ['is one microsecond later when the clock was put back', 6_000_000, 1000, 6_000_001],
    ['follows the clock again once that has caught up', 6_000_999, 6001, 6_001_000],
    ['goes on past the millisecond when many are made in one', 6_000_999, 6000, 6_001_000],
  ])('%s', (_, last, now, stamp) => {
    expect(stampAfter(last, now)).toBe(stamp)
  })

  it('is later than the previous one, whatever the clock does', () => {
    const clocks = fc.array(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), { maxLength: 50 })
    fc.assert(
      fc.property(clocks, (clock) => {
        let last = 0
        for (const now of clock) {
          const stamp = stampAfter(last, now)
          expect(stamp).toBeGreaterThan(last)
          expect(formatMicros(stamp) > formatMicros(last)).toBe(true)
          last = stamp
        }
      }),
    )
  })
})

describe('microseconds are shown as ISO 8601 with six decimals and a Z', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [1, '1970-01-01T00:00:00.000001Z'],
    [999_999, '1970-01-01T00:00:00.999999Z'],
    [1_000_000, '1970-01-01T00:00:01.000000Z'],
    [Date.UTC(2026, 0, 31, 10, 5, 9, 7) * 1000 + 42, '2026-01-31T10:05:09.007042Z'],
    [Date.UTC(2028, 1, 29, 23, 59, 59, 999) * 1000 + 999, '2028-02-29T23:59:59.999999Z'],
  ])('%i as %s', (micros, text) => {
    expect(formatMicros(micros)).toBe(text)
  })

  it('and lose nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2250, 0) * 1000 }), (micros) => {
        const text = formatMicros(micros)
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000
        expect(BigInt(seconds) * 1_000_000n + BigInt(text.slice(20, 26))).toBe(BigInt(micros))
        expect(parseMicros(text)).toBe(micros)
      }),
    )
  })
})

it.each([
  '',
  '2026-01-31T10:00:00Z',
  '2026-01-31T10:00:00.000Z',
  '2026-01-31T10:00:00.0000000Z',
  '2026-01-31T10:00:00.000000',
  '2026-02-31T10:00:00.000000Z',
  '2026-01-31T24:00:00.000000Z',
  '2026-13-31T10:00:00.000000Z',
  '9999-12-31T23:59:59.999999Z',
  ' 2026-01-31T10:00:00.000000Z',
])('reads nothing else as microseconds: %j', (text) => {
  expect(parseMicros(text)).toBeNull()
})

it.each<[string, boolean]>([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-01-00', false],
  ['2026-1-1', false],
  ['2026', false],
  ['2026-01', false],
  ['2026-01-31T10:00:00Z', false],
  ['', false],
])('tells whether %j is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

it('shows Unix seconds with a numeric offset', () => {
  expect(formatWithOffset(0)).toBe('1970-01-01T00:00:00+00:00')
  expect(formatWithOffset(1_769_853_600)).toBe('2026-01-31T10:00:00+00:00')
})
