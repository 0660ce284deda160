const PARTS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d):?(\d\d)?$/i

/**
 * The instant (ms) that a PSP tells for the information of others, null for one that cannot be read. RFC 3339 allows small
 * letters and a leap second (`:60`), ISO 8601 leaves seconds out: none of that may hide how a payment stands.
 */
export function instantOf(value: unknown): number | null {
  const [, day, minute, second = '00', fraction = '', zone = '', zoneMinutes = '00'] =
    typeof value === 'string' ? (PARTS.exec(value) ?? []) : []
  if (day === undefined) return null
  const isLeap = second === '60'
  const offset = /z/i.test(zone) ? 'Z' : `${zone}:${zoneMinutes}`
  const instant = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${offset}`)
  return Number.isNaN(instant) ? null : instant + (isLeap ? 1000 : 0)
}
