import { DAY, type Micros, isDay } from '../contract/timestamp.ts'

/** RFC 3339, section 5.6; the plus of an offset that was not encoded in a query arrives as a space. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+\- ]\d\d:\d\d))?$/

/**
 * The time (µs) that a query names, or null: an RFC 3339 time, or a date, which is the whole of its day (UTC). As an end, a
 * date is the end of its day, and a time is itself. Digits past a microsecond are cut off.
 */
export function readSentTime(text: string, bound: 'from' | 'to'): Micros | null {
  const [, date, time, fraction = '', offset = 'Z'] = TIME.exec(text) ?? []
  if (date === undefined || !isDay(date)) return null
  if (time === undefined) return (Date.parse(`${date}T00:00:00Z`) + (bound === 'to' ? DAY : 0)) * 1000
  const seconds = Date.parse(`${date}T${time}${offset.replace(' ', '+').toUpperCase()}`)
  if (Number.isNaN(seconds) || time.startsWith('24')) return null
  return seconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}
