import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantOf, shorten } from '../../src/psp/values.ts'

it.each([
  ['A-7', 3, 'A-7', 'A-7'],
  ['A-78', 3, 'A-7', 'A-7'],
  ['', 3, '', ''],
  ['éééé', 3, 'ééé', 'ééé'],
  ['🧾🧾🧾🧾', 3, '🧾🧾🧾', '🧾'],
  ['x🧾y', 3, 'x🧾y', 'x🧾'],
  ['xx🧾', 3, 'xx🧾', 'xx'],
])('cuts %j at %d: to %j in code points, and to %j in UTF-16 units', (text, length, points, units) => {
  expect(shorten(text, length)).toBe(points)
  expect(shorten(text, length, 'UTF-16 units')).toBe(units)
})

it('shortens a text without cutting a character in two', () => {
  const anyText = fc.array(fc.constantFrom('x', 'é', '€', '🧾', '👩‍🚀')).map((parts) => parts.join(''))
  const property = fc.property(anyText, fc.nat(20), (text, length) => {
    for (const short of [shorten(text, length), shorten(text, length, 'UTF-16 units')]) {
      expect(text.startsWith(short)).toBe(true)
      expect(short.isWellFormed()).toBe(true)
      expect(Array.from(short).length).toBeLessThanOrEqual(length)
    }
  })
  fc.assert(property)
})

const AT = Date.UTC(2026, 10, 21, 10, 15)

it.each([
  ['2026-11-21T10:15:00+00:00', AT],
  ['2026-11-21T11:15:00+01:00', AT],
  ['2026-11-21T10:15:00.250Z', AT + 250],
  ['2026-11-21T10:15Z', AT],
  ['2026-11-21T10:15+00:00', AT],
  ['2026-11-21t10:15:00z', AT],
  ['2026-11-21 10:15:00Z', AT],
  ['2026-11-21T11:15:00+0100', AT],
  ['2026-11-21T10:14:60Z', AT],
  ['2026-11-21T10:14:60.500Z', AT + 500],
])('reads %s', (text, instant) => {
  expect(instantOf(text)).toBe(instant)
})

it.each([
  undefined,
  null,
  '',
  'tomorrow',
  '2026-11-21',
  '2026-11-21T10:15:00',
  '2026-13-21T10:15:00Z',
  '2026-02-31T10:15:00Z',
  '0001-01-01T00:00:00Z',
  1_795_256_100,
  {},
])('reads no instant from %j', (value) => {
  expect(instantOf(value)).toBeNull()
})
