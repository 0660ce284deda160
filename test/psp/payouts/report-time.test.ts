import { describe, expect, it } from 'vitest'
import { timeIn } from '../../../src/psp/payouts/report-time.ts'

function read(time: string, zone: string) {
  const cells: Record<string, string> = { Date: time, Zone: zone }
  const found = timeIn({ line: 7, cell: (column) => cells[column] ?? '' }, 'Date', 'Zone')
  return found.ok ? new Date(found.value).toISOString() : found.error
}

describe("the time of a PSP's report", () => {
  it.each([
    ['2026-11-01 06:00:00', 'AEDT', '2026-10-31T19:00:00.000Z'],
    ['2026-07-01 00:30:00', 'BST', '2026-06-30T23:30:00.000Z'],
    ['2026-11-01 06:00:00', 'HKT', '2026-10-31T22:00:00.000Z'],
    ['2026-10-31 23:30:00', 'EST', '2026-11-01T04:30:00.000Z'],
    ['2026-01-31 23:30:00', 'PST', '2026-02-01T07:30:00.000Z'],
    // CET all year round: Adyen marks summer time separately. The IANA zone CET covers both.
    ['2026-07-01 00:30:00', 'CET', '2026-06-30T23:30:00.000Z'],
    ['2026-07-01 00:30:00', 'cest', '2026-06-30T22:30:00.000Z'],
    ['2026-11-01 06:00:00', '+08:00', '2026-10-31T22:00:00.000Z'],
    ['2026-11-01 06:00:00', '+0530', '2026-11-01T00:30:00.000Z'],
    ['2026-10-31 23:30:00', 'GMT-3', '2026-11-01T02:30:00.000Z'],
    ['2026-07-01 00:30:00', 'Europe/Amsterdam', '2026-06-30T22:30:00.000Z'],
    ['2026-01-01 00:30:00', 'Europe/Amsterdam', '2025-12-31T23:30:00.000Z'],
    ['2026-01-31 23:30:00', 'America/Los_Angeles', '2026-02-01T07:30:00.000Z'],
    ['2026-01-31T23:30', 'UTC', '2026-01-31T23:30:00.000Z'],
    ['2026-01-31', 'UTC', '2026-01-31T00:00:00.000Z'],
  ])('%s %s is %s', (time, zone, utc) => {
    expect(read(time, zone)).toBe(utc)
  })

  it.each([
    // The United States and China; India, Israel and Ireland.
    ['2026-01-31 23:30:00', 'CST', 'Zone'],
    ['2026-01-31 23:30:00', 'IST', 'Zone'],
    ['2026-01-31 23:30:00', '', 'Zone'],
    ['2026-01-31 23:30:00', 'XYZT', 'Zone'],
    ['2026-01-31 23:30:00', 'Europe/Nowhere', 'Zone'],
    ['2026-01-31 23:30:00', '+25:00', 'Zone'],
    // Clocks went forward at 02:00.
    ['2026-03-29 02:30:00', 'Europe/Amsterdam', 'Zone'],
    ['2026-02-31 10:00:00', 'UTC', 'Date'],
    ['2026-13-01 10:00:00', 'UTC', 'Date'],
    ['2026-01-31 24:00:00', 'UTC', 'Date'],
    ['2026-01-31 10:60:00', 'UTC', 'Date'],
    ['31-01-2026 10:00:00', 'UTC', 'Date'],
    ['01/31/2026', 'UTC', 'Date'],
    ['9999-01-31', 'UTC', 'Date'],
    ['31 January 2026', 'UTC', 'Date'],
    ['', 'UTC', 'Date'],
  ])('%j %j is refused with its line and column', (time, zone, column) => {
    expect(read(time, zone)).toMatchObject({ line: 7, column })
  })
})
