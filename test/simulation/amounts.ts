import { promise } from './violation.ts'

/** The currencies of shops, and the decimals of each in ISO 4217. */
const DECIMALS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 } as const
export type Currency = keyof typeof DECIMALS

/** The amount of each order (minor units). */
export const AMOUNT = 1250

/** Returns the currency of a seed: half of them use euros, which every PSP takes. `draw` is from 0 to 1. */
export function currencyAt(draw: number): Currency {
  return (['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const)[Math.floor(draw * 6)] ?? 'EUR'
}

/** Writes an amount as a shop does, with its currency's own decimals. */
export function written(minor: number, currency: Currency): string {
  return (minor / 10 ** DECIMALS[currency]).toFixed(DECIMALS[currency])
}

/**
 * Parses an amount of the hub into minor units. The hub writes two decimals, or more if the currency has
 * more; only the answer to a create has a plain 0.
 */
export function minorOf(shown: string | number, currency: Currency): number {
  const form = new RegExp(`^\\d+\\.\\d{${Math.max(DECIMALS[currency], 2)}}$`)
  promise(shown === 0 || form.test(String(shown)), `the hub writes no amount of ${currency} as ${shown}`)
  return Math.round(Number(shown) * 10 ** DECIMALS[currency])
}
