import { decimalsOf } from './currency.ts'
import { type Result, ok, refuse } from './result.ts'

/** Whole digits an amount may have; with four decimals it is still exact in a double. */
const WHOLE_DIGITS = 11

/**
 * Reads a decimal amount into integer minor units of its currency, digit by digit: no floating point takes part.
 * More decimals than the currency has are refused, never rounded. The two decimals that every amount is shown
 * with are read back too, so `100.00` JPY is 100.
 */
export const parseAmount = (text: string, currency: string): Result<number, string> => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return refuse('must be a decimal number such as 10.00')
  const digits = whole.replace(/^0+(?=\d)/, '')
  if (digits.length > WHOLE_DIGITS) return refuse(`must have at most ${WHOLE_DIGITS} digits before the point`)
  const decimals = decimalsOf(currency)
  if (fraction.length > Math.max(decimals, 2) || /[1-9]/.test(fraction.slice(decimals))) {
    return refuse(`has more decimals than ${currency} has (${decimals})`)
  }
  return ok(Number(digits + fraction.slice(0, decimals).padEnd(decimals, '0')))
}

/** Minor units as a decimal string with `decimals` decimals: `(1050, 2)` → `10.50`, `(100, 0)` → `100`. */
export const toDecimal = (minor: number, decimals: number): string => {
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** An amount as the API shows it: at least two decimals, more where the currency has more. */
export const formatAmount = (minor: number, currency: string): string => {
  const decimals = decimalsOf(currency)
  return decimals === 0 ? `${minor}.00` : toDecimal(minor, decimals)
}
