import { DAY, isDay } from '../contract/timestamp.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { isZone } from '../platform/pages/time-text.ts'
import { dayStart, instantOf, localOf, nextDay } from '../platform/pages/zoned-time.ts'
import type { CsvRecord } from './csv.ts'
import type { FileFault } from './payouts.ts'

/**
 * How far zones are ahead of UTC, by their short names. A name that several zones share (CST, IST)
 * is missing, so that a report with it is refused. CET and CEST are two names here; the zone CET of
 * IANA has both.
 */
const OFFSETS: Readonly<Record<string, string>> = {
  '+00:00': 'UTC GMT WET Z',
  '+01:00': 'CET BST WEST WAT',
  '+02:00': 'CEST EET SAST CAT',
  '+03:00': 'EEST MSK TRT EAT IDT',
  '+04:00': 'GST',
  '+07:00': 'ICT WIB',
  '+08:00': 'HKT SGT MYT PHT AWST WITA',
  '+09:00': 'JST KST WIT',
  '+09:30': 'ACST',
  '+10:00': 'AEST',
  '+10:30': 'ACDT',
  '+11:00': 'AEDT',
  '+12:00': 'NZST',
  '+13:00': 'NZDT',
  '-02:00': 'BRST',
  '-03:00': 'BRT ART CLST',
  '-04:00': 'EDT CLT',
  '-05:00': 'EST CDT COT PET',
  '-06:00': 'MDT',
  '-07:00': 'MST PDT',
  '-08:00': 'PST AKDT',
  '-09:00': 'AKST',
  '-10:00': 'HST',
}
const SHORT = new Map(
  Object.entries(OFFSETS).flatMap(([offset, names]) =>
    names.split(' ').map((name) => [name, offset] as const),
  ),
)

/** An offset from UTC: `+08:00`, `-0300`, `GMT+8`. */
const OFFSET = /^(?:UTC|GMT)?([+-])(0?\d|1[0-4])(?::?([0-5]\d))?$/
const TIME = /^(20\d\d-\d\d-\d\d)(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?))?$/

/**
 * Reads the local time in a column of a PSP's report (ms). Its zone is in a column of its own: a
 * short name, an offset, or a name of IANA; UTC where the report has no such column. Nothing is
 * guessed: a time or a zone that cannot be read is refused.
 */
export function timeIn(
  { line, cell }: CsvRecord,
  column: string,
  zoneColumn?: string,
): Result<number, FileFault> {
  const [, day = '', time = '00:00:00'] = TIME.exec(cell(column)) ?? []
  if (!isDay(day)) return refuse({ line, column, why: 'is no time such as 2026-01-31 10:00:00' })
  const zone = zoneColumn === undefined ? 'UTC' : cell(zoneColumn)
  const at = instantIn(day, time, zone)
  if (at !== null) return ok(at)
  const why = `${zone || 'it'} is no one zone that the hub knows at that time, such as CET, +08:00 or Europe/Amsterdam`
  return refuse({ line, column: zoneColumn ?? column, why })
}

function instantIn(day: string, time: string, zone: string): number | null {
  const offset = offsetOf(zone.toUpperCase())
  if (offset !== null) return Date.parse(`${day}T${time}${offset}`)
  if (!zone.includes('/') || !(known.has(`${day} ${zone}`) || isZone(zone))) return null
  const start = evenDay(day, zone)
  if (start !== null) return start + Date.parse(`1970-01-01T${time}Z`)
  const at = Date.parse(instantOf(`${day}T${time}`, zone) ?? '')
  // A clock that is put forward leaves an hour out.
  return localOf(at, zone) === `${day}T${time.slice(0, 5)}` ? at : null
}

/** The starts of days in zones: a report has thousands of lines, and the platform's zones are slow. */
const known = new Map<string, number | null>()

/** Returns when a day begins in a zone; null for one on which clocks change. */
function evenDay(day: string, zone: string): number | null {
  const found = known.get(`${day} ${zone}`)
  if (found !== undefined) return found
  const start = dayStart(day, zone)
  const even = dayStart(nextDay(day), zone) - start === DAY ? start : null
  if (known.size >= 1000) known.clear()
  known.set(`${day} ${zone}`, even)
  return even
}

function offsetOf(zone: string): string | null {
  const [, sign, hours, minutes = '00'] = OFFSET.exec(zone) ?? []
  return hours === undefined ? (SHORT.get(zone) ?? null) : `${sign}${hours.padStart(2, '0')}:${minutes}`
}
