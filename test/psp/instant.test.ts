import { expect, it } from 'vitest'
import { instantOf } from '../../src/psp/values.ts'

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
  1_795_256_100,
  {},
])('reads no instant in %j', (value) => {
  expect(instantOf(value)).toBeNull()
})
