import { decimalsOf } from '../../contract/money.ts'
import { parseMicros } from '../../contract/timestamp.ts'
import { shownText } from '../../platform/pages/formats.ts'

/** Writes an amount with the decimals of ISO 4217, which sometimes differ from those of Intl. */
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
    // A double holds an amount exactly, because amounts have at most fifteen digits.
    return format.format(Number(amount))
  } catch {
    return `${amount} ${currency}`
  }
}

export function countText(count: number): string {
  return count.toLocaleString('en-GB')
}

/** Writes a name of the API as a title: `PENDING` as `Pending`. */
export function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}

/** Says how many payments an account has not accepted yet. */
export function waitingText(count: number): string {
  return count === 1 ? '1 payment waits to be announced' : `${countText(count)} payments wait to be announced`
}

/** Writes `98.4 %`, or a dash while no payment has ended. */
export function rateText(rate: number | null): string {
  return rate === null ? '–' : `${(Math.floor(rate * 1000) / 10).toFixed(1)} %`
}

/** Writes a duration (s) with its two largest units: `42 ms`, `0.4 s`, `3 min 20 s`, `4 d 3 h`. */
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

/** Returns the seconds between two steps of a trace, whose times have microseconds. */
export function secondsBetween(from: string, to: string): number {
  return ((parseMicros(to) ?? 0) - (parseMicros(from) ?? 0)) / 1e6
}

/** Removes characters that reverse or hide text, which a stranger may have sent. */
export function plainText(text: string): string {
  return shownText(text) || '–'
}
