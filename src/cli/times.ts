import { DAY, HOUR, MINUTE, isDay, isoDay } from '../contract/timestamp.ts'
import { UsageError, quoted } from '../programs/usage-error.ts'

/** The present, and whether written times are in UTC. */
type Clock = { now: Date; utc: boolean }

const FORMS = '2026-01-31, 2026-01-31T10:00Z, 14:02, today, yesterday, now, or 30m, 2h, 3d ago'
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }

/**
 * Turns a time that an operator typed into the API's form. `side` says which end of a range it
 * is. A day that ends a range belongs to it. A time of day is the last one before now; as the end
 * of a range, it is the first one after `since`, the start. Times are in the operator's zone,
 * unless they name one or `utc` is set. Throws a UsageError.
 */
export function instantOf(written: string, side: 'from' | 'to', clock: Clock, since?: string): string {
  const time = read(written.trim(), side, clock, since)
  if (time === null || Number.isNaN(time)) {
    throw new UsageError(`A time is written ${FORMS}, not ${quoted(written)}`)
  }
  return new Date(time).toISOString()
}

const TIME_OF_DAY = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d.*)$/

function read(text: string, side: 'from' | 'to', clock: Clock, since: string | undefined): number | null {
  const now = clock.now.getTime()
  const nextDay = side === 'to' ? 1 : 0
  const [, ago, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text) ?? []
  if (ago !== undefined) return now - Number(ago) * (UNITS[unit] ?? 0)
  if (text === 'now') return now
  if (text === 'today') return beginOf(dayOf(clock, nextDay), clock)
  if (text === 'yesterday') return beginOf(dayOf(clock, nextDay - 1), clock)
  if (isDay(text)) return beginOf(dayAfter(text, nextDay), clock)
  if (TIME_OF_DAY.test(text)) {
    const time = text.replace(/^(?=\d:)/, '0')
    const candidates = [-1, 0, 1].map((days) => beginOf(dayOf(clock, days), clock, time))
    return side === 'to' && since !== undefined
      ? (candidates.find((candidate) => candidate > Date.parse(since)) ?? null)
      : (candidates.findLast((candidate) => candidate <= now) ?? null)
  }
  const [, day = '', time = ''] = MOMENT.exec(text) ?? []
  if (!isDay(day)) return null
  return /(Z|[+-]\d\d:?\d\d)$/i.test(time) ? Date.parse(text) : beginOf(day, clock, time)
}

/** Returns a time of a day in the clock's zone (ms); NaN if there is none. */
function beginOf(day: string, { utc }: Clock, time = '00:00'): number {
  return Date.parse(`${day}T${time}${utc ? 'Z' : ''}`)
}

/** Returns the day that is `days` after today, in the clock's zone. */
function dayOf({ now, utc }: Clock, days: number): string {
  const shift = utc ? 0 : now.getTimezoneOffset() * MINUTE
  return dayAfter(isoDay(now.getTime() - shift), days)
}

function dayAfter(day: string, days: number): string {
  return isoDay(Date.parse(day) + days * DAY)
}

type Range = { from?: string | undefined; to?: string | undefined }

/**
 * Reads both ends of a range, if given. Throws a UsageError if it does not end after its
 * start.
 */
export function rangeOf({ from, to }: Range, utc: boolean): Range {
  const clock = { now: new Date(), utc }
  const begin = from === undefined ? undefined : instantOf(from, 'from', clock)
  const end = to === undefined ? undefined : instantOf(to, 'to', clock, begin)
  if (begin !== undefined && end !== undefined && end <= begin) {
    throw new UsageError(`--to ${quoted(to ?? '')} is not after --from ${quoted(from ?? '')}`)
  }
  return { from: begin, to: end }
}
