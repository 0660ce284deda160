import { option } from '../program.ts'
import { UsageError, quoted } from '../usage-error.ts'

/** Where a written time is read: when, and in which zone. */
export type Clock = { now: Date; utc: boolean }

const FORMS = '2026-01-31, 2026-01-31T10:00Z, 14:02, today, yesterday, now, or 30m, 2h, 3d ago'
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * A time as an operator writes it, in the form that the operator API takes; `side` is the end of a
 * range that it is of. A day that ends a range belongs to it. A time of day is the last one that is
 * not in the future, and as the end of a range the first after its beginning `since`. Times are of
 * the operator's zone, unless they name one or `utc` is set. Throws a UsageError.
 */
export function instantOf(
  written: string,
  side: 'from' | 'to' = 'from',
  clock: Clock = { now: new Date(), utc: false },
  since?: string,
): string {
  const time = read(written.trim(), side, clock, since)
  if (time === null || Number.isNaN(time)) {
    throw new UsageError(`A time is written ${FORMS}, not ${quoted(written)}`)
  }
  return new Date(time).toISOString()
}

/**
 * Whether a text is a day (`2026-01-31`). One that its month does not have would be read as one of
 * the next.
 */
export function isDay(text: string): boolean {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

function read(text: string, side: 'from' | 'to', clock: Clock, since: string | undefined): number | null {
  const ago = /^(\d{1,4})([mhdw])$/.exec(text)
  if (ago) return clock.now.getTime() - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0)
  if (text === 'now') return clock.now.getTime()
  if (/^\d{4}-/.test(text) && !isDay(text.slice(0, 10))) return null
  const nextDay = side === 'to' ? 1 : 0
  if (text === 'today') return dayOf(clock, nextDay)
  if (text === 'yesterday') return dayOf(clock, nextDay - 1)
  const timeOfDay = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text)
  if (timeOfDay) return nearestOf(timeOfDay.slice(1).map(numberOf), side, clock, since)
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (day) return placed(day.slice(1).map(numberOf), [0, 0, 0], clock.utc, nextDay)
  const moment = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text)
  if (moment) return placed(moment.slice(1, 4).map(numberOf), moment.slice(4).map(numberOf), clock.utc)
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : null
}

function numberOf(digits: string | undefined): number {
  return Number(digits ?? 0)
}

/** The beginning of a day, so many days after today. */
function dayOf(clock: Clock, days: number): number {
  const { now, utc } = clock
  return utc
    ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days)
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).getTime()
}

function nearestOf(
  time: readonly number[],
  side: 'from' | 'to',
  clock: Clock,
  since: string | undefined,
): number | null {
  const [hour = 0, minute = 0, second = 0] = time
  if (hour > 23 || minute > 59 || second > 59) return null
  const of = (days: number): number => {
    const begin = new Date(dayOf(clock, days))
    return clock.utc ? begin.setUTCHours(hour, minute, second) : begin.setHours(hour, minute, second)
  }
  const isBeforeNow = (candidate: number) => candidate <= clock.now.getTime()
  if (side === 'from' || since === undefined) return isBeforeNow(of(0)) ? of(0) : of(-1)
  return [-1, 0, 1].map(of).find((candidate) => candidate > Date.parse(since)) ?? of(0)
}

/** A day and a time of a zone; null where there is no such time. */
function placed(day: readonly number[], time: readonly number[], utc: boolean, moreDays = 0): number | null {
  const [year = 0, month = 0, date = 0] = day
  const [hour = 0, minute = 0, second = 0] = time
  if (hour > 23 || minute > 59 || second > 59) return null
  return utc
    ? Date.UTC(year, month - 1, date + moreDays, hour, minute, second)
    : new Date(year, month - 1, date + moreDays, hour, minute, second).getTime()
}

/** The flags by which payments are told apart, of each command that shows some of them. */
export const PART_FLAGS = {
  pos: option('SHOP', 'of this point of sale only: its id or its name'),
  method: option('METHOD', 'of this payment method only'),
  account: option('ID', 'at this account only'),
}

/** The flags by which jobs are searched, of each command that does. */
export const SEARCH_FLAGS = {
  order: option('NUMBER', 'of this order number only'),
  'order-id': option('ID', 'of this order id only'),
  reference: option('TEXT', "of this payment, by the PSP's own id"),
  ...PART_FLAGS,
  status: option('STATUS', 'of this status, or of several: FAILURE,EXPIRED'),
  currency: option('CODE', 'in this currency only'),
  amount: option('AMOUNT', 'of exactly this amount: 12.50'),
  'amount-from': option('AMOUNT', 'of this amount or more'),
  'amount-to': option('AMOUNT', 'of this amount or less'),
  from: option('TIME', 'created at this time or later'),
  to: option('TIME', 'created before this time'),
}

type Given = { readonly [Flag in keyof typeof SEARCH_FLAGS]: string | undefined }

/** What is asked for, by the names that the operator API has for it. */
export type Query = Readonly<Record<string, string | undefined>>

/** The parameters of a search, from its flags. Statuses may be typed in small letters. */
export function searchOf(given: Given, utc: boolean): Query {
  return {
    order_number: given.order,
    order_id: given['order-id'],
    reference: given.reference,
    pos: given.pos,
    status: given.status?.toUpperCase(),
    method: given.method,
    account: given.account,
    currency: given.currency,
    amount: given.amount,
    amount_from: given['amount-from'],
    amount_to: given['amount-to'],
    ...rangeOf(given, utc),
  }
}

/**
 * A time from one instant to another, each where it is given. Throws a UsageError where it does not
 * end after it begins.
 */
export function rangeOf(
  { from, to }: Readonly<Record<'from' | 'to', string | undefined>>,
  utc: boolean,
): Record<'from' | 'to', string | undefined> {
  const clock = { now: new Date(), utc }
  const begin = from === undefined ? undefined : instantOf(from, 'from', clock)
  const end = to === undefined ? undefined : instantOf(to, 'to', clock, begin)
  if (begin !== undefined && end !== undefined && end <= begin) {
    throw new UsageError(`--to ${quoted(to ?? '')} is not after --from ${quoted(from ?? '')}`)
  }
  return { from: begin, to: end }
}
