import { decimalsOf, isCurrency } from './money.ts'
import { type Result, ok, refuse } from './result.ts'
import { readSentAmount } from './sent-values.ts'

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
export function inAscii(typed: string): string {
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

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₺': 'TRY', '₴': 'UAH' }

/**
 * Reads a text that can only be an amount, such as `€ 34,62`, `EUR 34.62` or `34,62`, for a search: in
 * ten-thousandths, with the currency if it names one. Null for any other text, such as `3462`.
 */
export function searchedSum(text: string): { amount: number; currency?: string } | null {
  const parts = /^(?<before>\p{Sc}|[A-Z]{3})?\s*(?<sum>\d[\d.,' ]*?)\s*(?<after>\p{Sc}|[A-Z]{3})?$/iu.exec(
    text,
  )?.groups
  if (!parts) return null
  const { before, sum = '', after } = parts
  const named = before ?? after
  if (named === undefined && !/\d[.,]\d{2}$/.test(sum)) return null
  const currency = named === undefined ? undefined : (SIGNS[named] ?? named.toUpperCase())
  const read = readTypedAmount(sum, 'CLF')
  if (!read.ok || (currency !== undefined && currency.length === 3 && !isCurrency(currency))) return null
  return { amount: read.value, ...(currency?.length === 3 ? { currency } : {}) }
}
