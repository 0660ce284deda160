import { decimalsOf } from './currency.ts'
import { type Result, ok, refuse } from './result.ts'

/** Whole digits an amount may have; with four decimals it is still exact in a double. */
const WHOLE_DIGITS = 11
/** The part of a minor unit that a JSON number may be off by. */
const MILLIONTHS = 1_000_000n

/**
 * Reads a decimal amount into integer minor units of its currency, digit by digit: no floating point takes part.
 * More decimals than the currency has are refused, never rounded, unless they are zeros: `12.5000` EUR is 1250.
 */
export function parseAmount(text: string, currency: string): Result<number, string> {
  return toMinor(text, currency, 0n)
}

/**
 * Reads the digits of a JSON number. Programs that compute with floating point send 59.699999999999996 for
 * 19.90 * 3: a number within a millionth of a minor unit is that amount. Any other is refused, never rounded.
 */
export function parseAmountNumber(digits: string, currency: string): Result<number, string> {
  return toMinor(digits, currency, 1n)
}

/** `tolerance` is in millionths of a minor unit. */
function toMinor(text: string, currency: string, tolerance: bigint): Result<number, string> {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return refuse('must be a decimal number such as 10.00')
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS) return tooLong
  const decimals = decimalsOf(currency)
  const unit = 10n ** BigInt(Math.max(fraction.length - decimals, 0))
  const digits = BigInt(whole + fraction.padEnd(decimals, '0'))
  const above = digits % unit
  const allowed = (unit * tolerance) / MILLIONTHS
  const roundedUp = unit - above <= allowed
  if (above > allowed && !roundedUp) return refuse(`has more decimals than ${currency} has (${decimals})`)
  const minor = digits / unit + (roundedUp ? 1n : 0n)
  return minor < 10n ** BigInt(WHOLE_DIGITS + decimals) ? ok(Number(minor)) : tooLong
}

const tooLong = refuse(`must have at most ${WHOLE_DIGITS} digits before the point`)

/** Minor units as a decimal string with `decimals` decimals: `(1050, 2)` → `10.50`, `(100, 0)` → `100`. */
export function toDecimal(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** An amount as the API shows it: at least two decimals, more where the currency has more. */
export function formatAmount(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return decimals === 0 ? `${minor}.00` : toDecimal(minor, decimals)
}
