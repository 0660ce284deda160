import * as v from 'valibot'
import { isJobId } from './ids.ts'
import { DAY, isDay, type Micros, parseMicros } from './timestamp.ts'
import { Mode } from './values.ts'

const LIMIT = 'must be a number from 1 to 200'

export const pageLimit = limitOf(50)

export function limitOf(usual: number) {
  return v.pipe(
    v.optional(v.string(), String(usual)),
    v.metadata({ type: 'integer', minimum: 1, maximum: 200, default: usual }),
    v.description('The most entries on a page.'),
    v.transform((text) => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN)),
    v.number(LIMIT),
    v.minValue(1, LIMIT),
    v.maxValue(200, LIMIT),
  )
}

/** The start of a page, as a text that only the hub understands. */
export const NEXT = 'The `next` of the previous page.'
export const after = v.optional(v.pipe(v.string(), v.description(NEXT)))

export function searched(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have at most 255 characters'),
      v.description(description),
    ),
  )
}

/** A parameter that is on if it is `1`. */
export function flagged(description: string) {
  return v.optional(v.pipe(v.picklist(['1'], 'must be 1'), v.description(description)))
}

export function inMode(description: string) {
  return v.optional(v.pipe(Mode, v.description(description)))
}

const TIME = 'must be a time such as 2026-01-31T10:00:00Z'

/** Reads a time that an operator sends, as milliseconds. */
export function operatorTime(description: string) {
  return v.pipe(
    v.string('is required'),
    v.metadata({ format: 'date-time' }),
    v.description(description),
    v.isoTimestamp(TIME),
    v.check((text) => isDay(text.slice(0, 10)), TIME),
    v.transform(Date.parse),
    v.integer(TIME),
  )
}

export const range = {
  from: operatorTime('Not before this time.'),
  to: operatorTime('Before this time.'),
}

/** A time range that may be open at either end, or a month. */
export const openRange = {
  from: v.optional(range.from),
  to: v.optional(range.to),
  month: v.optional(
    monthText("In this month of the hub's time zone. Not together with `from` or `to`.", '2026-10'),
  ),
}

/** A month such as `2026-01`. The reader decides its time zone. */
export function monthText(description: string, example: string) {
  return v.pipe(
    v.string(),
    v.description(description),
    v.examples([example]),
    v.regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, `must be a month such as ${example}`),
  )
}

/** RFC 3339, section 5.6. A space may stand for a plus that a query did not encode. */
const SENT_TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+\- ]\d\d:\d\d))?$/

/**
 * Returns the time (µs) in a query parameter: an RFC 3339 time or a date (UTC); null for any other
 * text. As `to`, a date means the end of its day. Cuts off digits beyond a microsecond.
 */
export function readSentTime(text: string, bound: 'from' | 'to'): Micros | null {
  const [, date, time, fraction = '', offset = 'Z'] = SENT_TIME.exec(text) ?? []
  if (date === undefined || !isDay(date)) return null
  if (time === undefined) return (Date.parse(`${date}T00:00:00Z`) + (bound === 'to' ? DAY : 0)) * 1000
  const seconds = Date.parse(`${date}T${time}${offset.replace(' ', '+').toUpperCase()}`)
  if (Number.isNaN(seconds) || time.startsWith('24')) return null
  return seconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

/** Reads a time that a point of sale sends, as microseconds. */
export function sentTime(bound: 'from' | 'to', description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(`${description} An RFC 3339 time such as \`2026-01-31T10:00:00Z\`, or a date in UTC.`),
      v.examples(['2026-01-31']),
      v.transform((text) => readSentTime(text, bound)),
      v.number('must be a time such as 2026-01-31T10:00:00Z, or a date such as 2026-01-31'),
    ),
  )
}

/** A position in a list of jobs: behind the job with this creation time (µs) and this id. */
export type JobPosition = { created: Micros; id: string }

/**
 * Writes a position for points of sale, in letters that need no encoding in an address (RFC 4648,
 * section 5). Clients keep positions, so every later release must read them.
 */
export function writePosition({ created, id }: JobPosition): string {
  return btoa(`${created}.${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the position that `writePosition` wrote, or null for any other text. */
export function readPosition(text: string): JobPosition | null {
  try {
    const [created = '', id = '', ...more] = atob(text.replaceAll('-', '+').replaceAll('_', '/')).split('.')
    const position = { created: Number(created), id }
    const isOne = more.length === 0 && Number.isSafeInteger(position.created) && isJobId(id)
    return isOne && writePosition(position) === text ? position : null
  } catch {
    return null
  }
}

/** Reads an operator's position: `created` and `id` of a listed job, with a dash between. */
function readListedPosition(text: string): JobPosition | null {
  const [, time = '', id = ''] = /^([^Z]*Z)-(.*)$/.exec(text) ?? []
  const created = parseMicros(time)
  return created !== null && isJobId(id) ? { created, id } : null
}

/** The start of a page of a list. `read` returns null if a text is not a position. */
export function positionRead<Position>(read: (text: string) => Position | null, message: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(NEXT),
      v.rawTransform(({ dataset, addIssue, NEVER }): Position => {
        const position = read(dataset.value)
        if (position !== null) return position
        addIssue({ message })
        return NEVER
      }),
    ),
  )
}

export const sentPosition = positionRead(readPosition, 'must be the `next` of an answer of this list')
export const listedPosition = positionRead(
  readListedPosition,
  'must be `created` and `id` of a job that was listed, with a dash between',
)

/** A day (UTC) in a path. */
export const day = v.pipe(
  v.string(),
  v.metadata({ format: 'date' }),
  v.description('A day in UTC.'),
  v.examples(['2026-01-31']),
  v.check(isDay, 'must be a day such as 2026-01-31'),
)
