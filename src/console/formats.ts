import { decimalsOf } from '../contract/money.ts'
import { shownText } from '../platform/pages/formats.ts'

/** An amount (decimal text) as people write it: with the decimals that ISO 4217 gives the currency, which are not always those of Intl. */
export function amountText(amount: string, currency: string): string {
  try {
    const decimals = decimalsOf(currency)
    const format = new Intl.NumberFormat('en-GB', {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    // An amount has at most fifteen digits: a double gives them back as they were.
    return format.format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

const WHOLE = new Intl.NumberFormat('en-GB')
export function countText(count: number): string {
  return WHOLE.format(count)
}

/** How many payments an account has not taken yet. */
export function waitingText(count: number): string {
  return count === 1 ? '1 payment waits to be announced' : `${countText(count)} payments wait to be announced`
}

/** `98.4 %`, and a dash where nothing has ended yet. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`
}

/** A time that passed, in seconds: `42 ms`, `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 0.1) return `${Math.max(1, Math.round(seconds * 1000))} ms`
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const whole = Math.round(seconds)
  const [d, h, min, s] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ]
  const parts = [[d, 'd'] as const, [h, 'h'] as const, [min, 'min'] as const, [s, 's'] as const]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** Seconds from one time to another (ISO 8601). */
export function secondsBetween(from: string, to: string): number {
  return (microsOf(to) - microsOf(from)) / 1e6
}

/** Steps of a trace are told apart by microseconds, which a Date does not have. */
function microsOf(iso: string): number {
  const fraction = /\.(\d+)/.exec(iso)?.[1] ?? ''
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6))
  return Math.floor(Date.parse(iso) / 1000) * 1e6 + micros
}

/** A text of somebody else, with what would turn it around or hide it taken out. */
export function plainText(text: string): string {
  return shownText(text) || '–'
}

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
