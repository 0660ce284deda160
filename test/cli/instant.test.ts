import { describe, expect, it } from 'vitest'
import { instantOf } from '../../src/cli/times.ts'
import { UsageError } from '../../src/programs/usage-error.ts'

const now = new Date('2026-11-22T13:30:00Z')
const UTC = { now, utc: true }

it.each([
  ['2026-01-31', 'from', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31', 'to', '2026-02-01T00:00:00.000Z'],
  ['2024-02-29', 'to', '2024-03-01T00:00:00.000Z'],
  ['2026-12-31', 'to', '2027-01-01T00:00:00.000Z'],
  ['2026-01-31T10:00', 'from', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31 10:00:30', 'to', '2026-01-31T10:00:30.000Z'],
  ['2026-01-31T10:00Z', 'to', '2026-01-31T10:00:00.000Z'],
  ['2026-01-31T10:00:00.5+02:00', 'from', '2026-01-31T08:00:00.500Z'],
  ['13:02', 'from', '2026-11-22T13:02:00.000Z'],
  ['14:02', 'from', '2026-11-21T14:02:00.000Z'],
  ['9:05:07', 'from', '2026-11-22T09:05:07.000Z'],
  ['13:30', 'to', '2026-11-22T13:30:00.000Z'],
  ['today', 'from', '2026-11-22T00:00:00.000Z'],
  ['today', 'to', '2026-11-23T00:00:00.000Z'],
  ['yesterday', 'from', '2026-11-21T00:00:00.000Z'],
  ['yesterday', 'to', '2026-11-22T00:00:00.000Z'],
  ['now', 'to', '2026-11-22T13:30:00.000Z'],
  ['30m', 'from', '2026-11-22T13:00:00.000Z'],
  ['2h', 'from', '2026-11-22T11:30:00.000Z'],
  ['3d', 'to', '2026-11-19T13:30:00.000Z'],
  ['1w', 'from', '2026-11-15T13:30:00.000Z'],
] as const)('%s as the %s of a range is %s in UTC', (written, side, expected) => {
  expect(instantOf(written, side, UTC)).toBe(expected)
})

it.each([
  ['13:00', '14:02', '2026-11-22T14:02:00.000Z'],
  ['14:00', '15:00', '2026-11-21T15:00:00.000Z'],
  ['23:50', '00:10', '2026-11-22T00:10:00.000Z'],
  ['yesterday', '09:00', '2026-11-21T09:00:00.000Z'],
])('a range from %s to %s ends at the first such time after its beginning', (from, to, expected) => {
  expect(instantOf(to, 'to', UTC, instantOf(from, 'from', UTC))).toBe(expected)
})

describe('without --utc a time is of the zone of the machine', () => {
  const local = { now, utc: false }
  it.each([
    ['2026-01-31', 'from', new Date(2026, 0, 31)],
    ['2026-01-31', 'to', new Date(2026, 1, 1)],
    ['2026-07-01T10:00', 'from', new Date(2026, 6, 1, 10)],
    ['today', 'from', new Date(new Date(now).setHours(0, 0, 0, 0))],
    ['2026-01-31T10:00Z', 'from', new Date('2026-01-31T10:00Z')],
  ] as const)('%s as the %s of a range', (written, side, expected) => {
    expect(instantOf(written, side, local)).toBe(expected.toISOString())
  })
})

it.each([
  '',
  'noon',
  '2026-02-30',
  '2026-02-30T10:00Z',
  '2026-13-01',
  '2026-1-1',
  '25:00',
  '10:60',
  '2026-01-31T25:00',
  '-2h',
  '2x',
  '5',
  'Z',
])('%j is no time', (written) => {
  expect(() => instantOf(written, 'from', UTC)).toThrow(UsageError)
})
