/** Writes times for pages: the server in the zone it knows, the browser in its own. */

/** `short`: with a day only if not today's. `full`: to the second. `hour`, `day`: for charts. */
export type TimeForm = 'short' | 'full' | 'hour' | 'day'

const FORMS: Readonly<Record<Exclude<TimeForm, 'short'>, Intl.DateTimeFormatOptions>> = {
  full: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
}

function write(time: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(time)
}

function dayOf(time: number, zone: string): string {
  return write(time, zone, { year: 'numeric', month: 'numeric', day: 'numeric' })
}

/** Writes today's times as hours and minutes, others with their day, old ones with the year. */
function short(time: number, zone: string, now: number): string {
  const hour = write(time, zone, { hour: '2-digit', minute: '2-digit' })
  if (dayOf(time, zone) === dayOf(now, zone)) return hour
  const isThisYear = write(time, zone, { year: 'numeric' }) === write(now, zone, { year: 'numeric' })
  return `${write(time, zone, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })}, ${hour}`
}

/** Writes a time (ISO 8601) in a zone; returns any other text unchanged. */
export function timeText(iso: string, form: TimeForm, zone: string, now: number): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return iso
  return form === 'short' ? short(time, zone, now) : write(time, form === 'day' ? 'UTC' : zone, FORMS[form])
}

export function isZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
