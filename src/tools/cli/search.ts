import { option } from '../program.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { ask } from './operator-api.ts'
import { noAccount } from './psp.ts'

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

const TIME_OF_DAY = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d.*)$/

function read(text: string, side: 'from' | 'to', clock: Clock, since: string | undefined): number | null {
  const now = clock.now.getTime()
  const nextDay = side === 'to' ? 1 : 0
  const [, ago, unit = ''] = /^(\d{1,4})([mhdw])$/.exec(text) ?? []
  if (ago !== undefined) return now - Number(ago) * (UNITS[unit] ?? 0)
  if (text === 'now') return now
  if (text === 'today') return beginOf(dayOf(clock, nextDay), clock)
  if (text === 'yesterday') return beginOf(dayOf(clock, nextDay - 1), clock)
  if (isDay(text)) return beginOf(dayAfter(text, nextDay), clock)
  if (TIME_OF_DAY.test(text)) {
    const time = text.replace(/^(?=\d:)/, '0')
    const candidates = [-1, 0, 1].map((days) => beginOf(dayOf(clock, days), clock, time))
    return side === 'to' && since !== undefined
      ? (candidates.find((candidate) => candidate > Date.parse(since)) ?? null)
      : (candidates.findLast((candidate) => candidate <= now) ?? null)
  }
  const [, day = '', time = ''] = MOMENT.exec(text) ?? []
  if (!isDay(day)) return null
  return /(Z|[+-]\d\d:?\d\d)$/i.test(time) ? Date.parse(text) : beginOf(day, clock, time)
}

/** A time of a day in the clock's zone (ms); NaN where there is no such time. */
function beginOf(day: string, { utc }: Clock, time = '00:00'): number {
  return Date.parse(`${day}T${time}${utc ? 'Z' : ''}`)
}

/** The day in the clock's zone, so many days after today. */
function dayOf({ now, utc }: Clock, days: number): string {
  const shift = utc ? 0 : now.getTimezoneOffset() * 60_000
  return dayAfter(new Date(now.getTime() - shift).toISOString().slice(0, 10), days)
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

export const PART_FLAGS = {
  pos: option('SHOP', 'of this point of sale only: its id or its name'),
  method: option('METHOD', 'of this payment method only'),
  account: option('ID', 'at this account only'),
}

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

export type Query = Readonly<Record<string, string | undefined>>

/**
 * A payment method that orders can have, as it was given with a flag. Throws a UsageError for any
 * other: nothing would be found.
 */
export async function methodOf(given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return given
  // Loaded only now: `--help` need not wait for the tables of the PSPs.
  const { TEST_METHODS, isTestMethod } = await import('../../psp/adapters.ts')
  if (isTestMethod(given)) return given
  throw new UsageError(`There is no payment method ${quoted(given)}. ${notAmong(TEST_METHODS, given)}`)
}

/**
 * An account as it was given with a flag. Throws a UsageError for one that never was: nothing would
 * be found. An account that was removed still has jobs.
 */
export async function accountOf(given: string | undefined): Promise<string | undefined> {
  if (given === undefined || given === 'sandbox') return given
  const { accounts } = await ask('listAccounts')
  if (accounts.some(({ id }) => id === given)) return given
  const { jobs, next } = await ask('searchJobs', { query: { account: given, limit: '1' } })
  if (jobs.length > 0 || next !== null) return given
  throw new UsageError(noAccount(given, accounts))
}

/** The parameters of a search, from its flags. Statuses may be typed in small letters. */
export async function searchOf(given: Given, utc: boolean): Promise<Query> {
  return {
    order_number: given.order,
    order_id: given['order-id'],
    reference: given.reference,
    pos: given.pos,
    status: given.status?.toUpperCase(),
    method: await methodOf(given.method),
    account: await accountOf(given.account),
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
