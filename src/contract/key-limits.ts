import * as v from 'valibot'
import { readSentTime } from './queries.ts'
import { type Result, ok, refuse } from './result.ts'
import { DAY } from './timestamp.ts'
import { MUST_BE_TEXT } from './values.ts'

/** What an API key may do. `capture` also releases. Each operation of points of sale names the right it needs. */
export const Right = v.picklist(['create', 'read', 'capture', 'refund', 'cancel'])
export type Right = v.InferOutput<typeof Right>

/** Returns the rights of a list; null for all. */
export function limitedTo(rights: readonly Right[]): Right[] | null {
  const named = Right.options.filter((right) => rights.includes(right))
  return named.length === Right.options.length ? null : named
}

const RIGHTS = Right.options.join(', ')
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 }
const END =
  'must be a day such as 2027-03-01, a time such as 2027-03-01T10:00:00Z, or a period such as 90d, 12w or 1y'

/** When a key or a token ends, as an operator sends it. `endOf` reads it. */
export const sentEnd = v.pipe(
  v.string(MUST_BE_TEXT),
  v.maxLength(40, END),
  v.description(
    'When it ends: a day (at its beginning in UTC), a time, or a period from now in days, weeks or years (`90d`, `12w`, `1y`). Without it, never.',
  ),
  v.examples(['2027-03-01']),
)

/** Returns the end (ms) that an operator sent, or why it is none. Never: null. */
export function endOf(sent: string | undefined, now: number): Result<number | null, string> {
  if (sent === undefined) return ok(null)
  const [, count, unit = ''] = /^([1-9]\d{0,4})([dwy])$/.exec(sent) ?? []
  const micros = readSentTime(sent, 'from')
  const at = count === undefined ? micros && micros / 1000 : now + Number(count) * (DAYS[unit] ?? 0) * DAY
  if (at === null) return refuse(END)
  if (at <= now) return refuse('must be in the future')
  return at < Date.UTC(2100) ? ok(Math.floor(at)) : refuse('must be before 2100')
}

/** The members of a body that limit a new API key. */
export const NEW_KEY_LIMITS = {
  expires: v.exactOptional(sentEnd),
  can: v.exactOptional(
    v.pipe(
      v.array(v.picklist(Right.options, `must be of ${RIGHTS}`), `must be a list of ${RIGHTS}`),
      v.minLength(1, 'must name a right'),
      v.maxLength(Right.options.length, 'must name each right once'),
      v.description('What it may do (`capture` also releases).'),
      v.examples([['create', 'read']]),
    ),
  ),
}

/** Whether a key or a token has ended, ends within two weeks, or is older than a year. */
export const CredentialState = v.picklist(['working', 'ends-soon', 'ended', 'old'])
export type CredentialState = v.InferOutput<typeof CredentialState>

/** An API key: what it may do, and when it ends; null for never. */
export const ShownKeyLimits = v.object({ can: v.array(Right), expires: v.nullable(v.string()) })
