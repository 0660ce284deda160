import { DAY, isDay } from '../../contract/timestamp.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { isZone } from '../../platform/pages/time-text.ts'
import { dayStart, instantOf, localOf, nextDay } from '../../platform/pages/zoned-time.ts'
import type { CsvRecord } from './csv.ts'
import type { FileFault } from './payouts.ts'

/**
 * The short names of time zones, each with its offset from UTC. Names that several zones share (CST,
 * IST) are missing, so that a report with one is refused. CET and CEST are two names here, although the
 * IANA zone CET covers both.
 */
const NAMES =
  'UTC+00:00 GMT+00:00 WET+00:00 Z+00:00 CET+01:00 BST+01:00 WEST+01:00 WAT+01:00 CEST+02:00 EET+02:00 ' +
  'SAST+02:00 CAT+02:00 EEST+03:00 MSK+03:00 TRT+03:00 EAT+03:00 IDT+03:00 GST+04:00 ICT+07:00 WIB+07:00 ' +
  'HKT+08:00 SGT+08:00 MYT+08:00 PHT+08:00 AWST+08:00 WITA+08:00 JST+09:00 KST+09:00 WIT+09:00 ACST+09:30 ' +
  'AEST+10:00 ACDT+10:30 AEDT+11:00 NZST+12:00 NZDT+13:00 BRST-02:00 BRT-03:00 ART-03:00 CLST-03:00 ' +
  'EDT-04:00 CLT-04:00 EST-05:00 CDT-05:00 COT-05:00 PET-05:00 MDT-06:00 MST-07:00 PDT-07:00 PST-08:00 ' +
  'AKDT-08:00 AKST-09:00 HST-10:00'
const OFFSETS = new Map(NAMES.split(' ').map((name) => [name.slice(0, -6), name.slice(-6)] as const))

/** An offset from UTC: `+08:00`, `-0300`, `GMT+8`. */
const OFFSET = /^(?:UTC|GMT)?([+-])(0?\d|1[0-4])(?::?([0-5]\d))?$/
const TIME = /^(20\d\d-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?))?$/

/**
 * Reads the local time (ms) in a column of a PSP's report. Its zone is in a column of its own: a short
 * name, an offset, or an IANA name; UTC if the report has no such column. Guesses nothing: refuses an
 * unreadable time or zone.
 */
export function timeIn(
  { line, cell }: Pick<CsvRecord, 'line' | 'cell'>,
  column: string,
  zoneColumn?: string,
): Result<number, FileFault> {
  const [, day = '', time = '00:00:00'] = TIME.exec(cell(column)) ?? []
  if (!isDay(day)) return refuse({ line, column, why: 'is not a time such as 2026-01-31 10:00:00' })
  const zone = zoneColumn === undefined ? 'UTC' : cell(zoneColumn)
  const at = instantIn(day, time, zone)
  if (at !== null) return ok(at)
  const why = `${zone || 'it'} is not a single zone that the hub knows, such as CET, +08:00 or Europe/Amsterdam, or has no such time`
  return refuse({ line, column: zoneColumn ?? column, why })
}

function instantIn(day: string, time: string, zone: string): number | null {
  const offset = offsetOf(zone.toUpperCase())
  if (offset !== null) return Date.parse(`${day}T${time}${offset}`)
  if (!zone.includes('/') || !(dayStarts.has(`${day} ${zone}`) || isZone(zone))) return null
  const start = evenDay(day, zone)
  if (start !== null) return start + Date.parse(`1970-01-01T${time}Z`)
  const at = Date.parse(instantOf(`${day}T${time}`, zone) ?? '')
  // When clocks go forward, an hour is missing.
  return localOf(at, zone) === `${day}T${time.slice(0, 5)}` ? at : null
}

/** The starts of days, kept because a report has thousands of lines and the platform's zones are slow. */
const dayStarts = new Map<string, number | null>()

/** Returns when a day begins in a zone; null for a day on which clocks change. */
function evenDay(day: string, zone: string): number | null {
  const found = dayStarts.get(`${day} ${zone}`)
  if (found !== undefined) return found
  const start = dayStart(day, zone)
  const even = dayStart(nextDay(day), zone) - start === DAY ? start : null
  if (dayStarts.size >= 1000) dayStarts.clear()
  dayStarts.set(`${day} ${zone}`, even)
  return even
}

function offsetOf(zone: string): string | null {
  const [, sign, hours, minutes = '00'] = OFFSET.exec(zone) ?? []
  return hours === undefined ? (OFFSETS.get(zone) ?? null) : `${sign}${hours.padStart(2, '0')}:${minutes}`
}
