type Zone = { utc?: boolean | undefined }

/**
 * A time (ISO 8601) as an operator reads it: the hour alone where it is of today, in the zone of this machine or in UTC.
 */
export const showTime = (iso: string, { utc = false }: Zone = {}): string => {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const shown = partsOf(time, utc)
  const today = partsOf(new Date(), utc)
  return (shown.day === today.day ? shown.hour : `${shown.day} ${shown.hour}`) + (utc ? ' UTC' : '')
}

/** The times within a text, which are ISO 8601 in UTC to the second, as an operator reads them. */
export const showTimes = (text: string, zone: Zone): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (iso) => showTime(iso, zone))

const partsOf = (time: Date, utc: boolean): { day: string; hour: string } => {
  // Swedish writes days and hours as ISO 8601 does.
  const [day = '', hour = ''] = time.toLocaleString('sv-SE', utc ? { timeZone: 'UTC' } : {}).split(' ')
  return { day, hour }
}
