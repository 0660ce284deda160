import { decimalsOf } from './money.ts'
import { type Result, ok, refuse } from './result.ts'
import { readSentAmount } from './values.ts'

/** Digits with at most one mark, before the decimals: `1250`, `7,50`. */
const PLAIN = /^(?<whole>\d+)(?:[.,](?<fraction>\d+))?$/
/** Digits in groups of three, and another mark before the decimals: `1.250,00`, `1 250`. */
const GROUPED = /^(?<whole>[1-9]\d{0,2}(?:([ ',.])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](?<fraction>\d+))?$/

/**
 * Reads an amount as a person types it, in minor units: `7,50`, `7.50`, `1.250,00`, `1,250.00`, `1
 * 250,00`, `1’250.00`. Refuses an ambiguous text, such as `1.250` in euros. Three digits after the
 * only mark are decimals in a currency with three, and thousands in a currency without decimals.
 */
export function readTypedAmount(typed: string, currency: string): Result<number, string> {
  const text = inAscii(typed)
  const [plain, grouped, decimals] = [PLAIN.exec(text), GROUPED.exec(text), decimalsOf(currency)]
  if (plain && grouped && decimals !== 0 && decimals !== 3) {
    const [whole = '', rest = ''] = text.split(/[.,]/)
    return refuse(`could be ${whole}${rest} or ${whole}.${rest}: write it with ${decimals} decimals`)
  }
  const { whole, fraction } = (decimals === 0 ? (grouped ?? plain) : (plain ?? grouped))?.groups ?? {}
  if (whole === undefined) return refuse('must be an amount such as 1250.00 or 1.250,00')
  const digits = whole.replaceAll(/\D/g, '')
  return readSentAmount(fraction === undefined ? digits : `${digits}.${fraction}`, currency)
}

/** Replaces the digits, marks and spaces of other scripts and keyboards. */
function inAscii(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/[٫،]/g, ',')
    .replaceAll(/[٬’]/g, "'")
    .trim()
}

/** Reads a typed amount of any currency into a decimal text, for a search. */
export function readSearchedAmount(typed: string): Result<string, string> {
  if (/^0+$/.test(typed)) return ok('0')
  const read = readTypedAmount(typed, 'CLF')
  return read.ok ? ok(String(read.value / 10 ** decimalsOf('CLF'))) : read
}
