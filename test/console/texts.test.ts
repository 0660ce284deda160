import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/console/plumbing/question.tsx'
import { valuesOf } from '../../src/console/plumbing/values.ts'
import { amountText, durationText, rateText, secondsBetween } from '../../src/console/parts/formats.ts'
import { instantOf, localOf } from '../../src/platform/pages/zoned-time.ts'
import { accountsOf } from '../../src/console/pages/route-action.tsx'
import { isZone, timeText } from '../../src/platform/pages/time-text.ts'

describe('an amount', () => {
  it.each([
    ['1234.50', 'EUR', '€1,234.50'],
    ['12800.00', 'JPY', '¥12,800'],
    ['1.234', 'KWD', 'KWD\u00a01.234'],
    ['99999999999.99', 'EUR', '€99,999,999,999.99'],
    ['1.00', 'none', '1.00 none'],
  ])('%s %s is written %s', (amount, currency, text) => {
    expect(amountText(amount, currency)).toBe(text)
  })
})

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [0.0002, '1 ms'],
    [0.042, '42 ms'],
    [0.42, '0.4 s'],
    [12, '12 s'],
    [200, '3 min 20 s'],
    [3600, '1 h'],
    [7500, '2 h 5 min'],
    [86_400 * 4 + 10_800, '4 d 3 h'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  it('between two steps of a trace has their microseconds', () => {
    expect(secondsBetween('2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:01.500001Z')).toBe(1.5)
  })
})

describe('a success rate', () => {
  it('is never rounded up to all', () => {
    expect(rateText(0.9999)).toBe('99.9 %')
    expect(rateText(1)).toBe('100.0 %')
    expect(rateText(null)).toBe('–')
  })
})

describe('a time', () => {
  const now = Date.parse('2026-11-22T01:00:00Z')
  it.each([
    ['2026-11-22T00:30:00Z', 'Europe/Amsterdam', '01:30'],
    ['2026-11-21T22:30:00Z', 'Europe/Amsterdam', '21 Nov, 23:30'],
    ['2026-11-21T23:30:00Z', 'Europe/Amsterdam', '00:30'],
    ['2025-11-21T23:30:00Z', 'UTC', '21 Nov 2025, 23:30'],
    ['no time', 'UTC', 'no time'],
  ])('%s in %s is as short as possible: %s', (at, zone, text) => {
    expect(timeText(at, 'short', zone, now)).toBe(text)
  })

  it.each(['America/New_York', 'UTC', 'Pacific/Auckland'])(
    'of a day of the figures is that day in %s',
    (zone) => {
      expect(timeText('2026-11-21T00:00:00.000Z', 'day', zone, now)).toBe('21 Nov')
    },
  )

  it.each([
    ['2026-01-31T14:02', 'UTC', '2026-01-31T14:02:00.000Z'],
    ['2026-01-31T14:02', 'Europe/Amsterdam', '2026-01-31T13:02:00.000Z'],
    ['2026-07-31T14:02', 'Europe/Amsterdam', '2026-07-31T12:02:00.000Z'],
    // The day on which the clocks of Amsterdam go back at 03:00.
    ['2026-10-25T01:30', 'Europe/Amsterdam', '2026-10-24T23:30:00.000Z'],
    ['2026-10-25T04:30', 'Europe/Amsterdam', '2026-10-25T03:30:00.000Z'],
    ['14:02', 'UTC', undefined],
    ['2026-13-99T14:02', 'UTC', undefined],
    ['2026-02-30T14:02', 'UTC', undefined],
    ['2026-01-31T25:02', 'UTC', undefined],
  ])('%s, filled in in %s, is %s', (local, zone, instant) => {
    expect(instantOf(local, zone)).toBe(instant)
    if (instant !== undefined) expect(localOf(Date.parse(instant), zone)).toBe(local)
  })

  it('is in a known zone', () => {
    expect([isZone('Europe/Amsterdam'), isZone('UTC'), isZone(''), isZone('Mars/Base')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

it('the accounts of a route are in the order of their numbers, without accounts that have no number', () => {
  const form = new URLSearchParams({
    'order.b': '2',
    'order.a': '1',
    'order.c': '',
    'order.d': '2',
    method: '*',
  })
  expect(accountsOf(valuesOf(form))).toEqual(['a', 'b', 'd'])
})

it('an address can name a known message, but cannot bring its own text', () => {
  expect(messageOf('refundJob')).toContain('refund')
  for (const name of [null, '', 'constructor', 'Your account is hacked']) expect(messageOf(name)).toBeNull()
})
