import { expect, it } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { dayStart, instantOf, localOf, monthSpan, nextDay } from '../../../src/platform/pages/zoned-time.ts'

const [BEGIN, END] = ['2026-01-01', '2027-01-01']

function dayAt(time: number, zone: string): string {
  return localOf(time, zone).slice(0, 10)
}

/** The days of 2026 on which a zone's clocks change, the days after these, and the first of each month. */
function daysOf(zone: string): string[] {
  const days: string[] = []
  let [before, at] = ['', Date.parse(BEGIN)]
  for (; at < Date.parse(END); at += DAY) {
    const day = new Date(at).toISOString().slice(0, 10)
    const time = localOf(at, zone).slice(11)
    if (time !== before || day.endsWith('-01'))
      days.push(new Date(at - DAY).toISOString().slice(0, 10), day, nextDay(day))
    before = time
  }
  return [...new Set(days)]
}

it('a day begins with its first instant, in each zone, even if clocks skip midnight or show it twice', () => {
  const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
    daysOf(zone).flatMap((day) => {
      const start = dayStart(day, zone)
      const isFirst = dayAt(start, zone) === day && dayAt(start - 1, zone) < day
      return isFirst ? [] : [`${zone} ${day}: ${new Date(start).toISOString()}`]
    }),
  )
  expect(wrong).toEqual([])
})

it.each([
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
])('%s in %s begins at %s', (day, zone, start) => {
  expect(new Date(dayStart(day, zone)).toISOString()).toBe(start)
})

it('a month that begins without a midnight follows the previous one without a gap', () => {
  // Clocks of Paraguay went from 00:00 to 01:00 on the first of October 2017.
  const [september, october] = [
    monthSpan('2017-09', 'America/Asuncion'),
    monthSpan('2017-10', 'America/Asuncion'),
  ]
  expect(september.to).toBe(october.from)
  expect(new Date(october.from).toISOString()).toBe('2017-10-01T04:00:00.000Z')
})

it.each([
  ['2026-03-29T02:30', 'Europe/Amsterdam', '2026-03-29T01:30:00.000Z'],
  ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Amsterdam', '2026-10-25T00:30:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
])('%s in %s, which clocks skip or show twice, is %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant)
})
