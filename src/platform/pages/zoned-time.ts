import { DAY, isDay, isoDay } from '../../contract/timestamp.ts'

/** Converts between local times of a zone (IANA) and instants (ms). */

/** Returns how far (ms) a zone is ahead of UTC at a time. */
function offsetAt(time: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(time)
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(time / 1000) * 1000
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(zone, clock)
  return clock
}

/**
 * Turns a local time (`2026-01-31T14:02`) into UTC for the API; undefined if it is not a time. If clocks
 * show a time twice, takes the first; if they skip it, the time after the gap.
 */
export function instantOf(local: string, zone: string): string | undefined {
  if (!/T\d\d:\d\d(:\d\d)?$/.test(local) || !isDay(local.slice(0, local.indexOf('T')))) return undefined
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const before = asUtc - offsetAt(asUtc - DAY, zone)
  const after = asUtc - offsetAt(asUtc + DAY, zone)
  const isShown = (time: number) => time + offsetAt(time, zone) === asUtc
  return new Date(!isShown(before) && isShown(after) ? after : before).toISOString()
}

/** Writes a time (ms) as the zone's local time for a form's field. */
export function localOf(time: number, zone: string): string {
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16)
}

/** Returns the first instant (ms) of a day (`2026-01-31`) in a zone. */
export function dayStart(day: string, zone: string): number {
  return Date.parse(instantOf(`${day}T00:00`, zone) ?? '')
}

export function nextDay(day: string): string {
  return isoDay(Date.parse(day) + DAY)
}

/** Returns the first instant (ms) of a month (`2026-01`) in a zone, and that of the next month. */
export function monthSpan(month: string, zone: string): { from: number; to: number } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const next = isoDay(Date.UTC(year, number, 1))
  return { from: dayStart(`${month}-01`, zone), to: dayStart(next, zone) }
}
