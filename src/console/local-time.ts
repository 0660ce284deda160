/** Times that an operator fills in are of their zone; the API takes UTC. */

/** How much (ms) a zone is before UTC at a time. */
function offsetAt(time: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time)
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(time / 1000) * 1000
}

/** The instant of a local time (`2026-01-31T14:02`) in a zone, in ISO 8601; undefined where it is no time. */
export function instantOf(local: string, zone: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local)) return undefined
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // The offset of the hour that was meant, also on the day that the clocks change.
  const guess = asUtc - offsetAt(asUtc, zone)
  return new Date(asUtc - offsetAt(guess, zone)).toISOString()
}

/** The local time of an instant (ms), as a field of a form has it. */
export function localOf(time: number, zone: string): string {
  return new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16)
}
