import { promise } from './violation.ts'

/** What shops are paid in, and how many decimals each has by ISO 4217. */
const DECIMALS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 } as const
export type Currency = keyof typeof DECIMALS

/** What each order is of, in minor units. */
export const AMOUNT = 1250

/** Half of the seeds are in euros, which every PSP takes. `draw`: from 0 to 1. */
export function currencyAt(draw: number): Currency {
  return (['EUR', 'EUR', 'EUR', 'USD', 'JPY', 'KWD'] as const)[Math.floor(draw * 6)] ?? 'EUR'
}

/** An amount as a shop writes it, with the decimals that its currency has. */
export function written(minor: number, currency: Currency): string {
  return (minor / 10 ** DECIMALS[currency]).toFixed(DECIMALS[currency])
}

/**
 * What the hub tells, in minor units. It writes two decimals, and more where the currency has more;
 * only the answer to a create has a plain 0.
 */
export function minorOf(told: string | number, currency: Currency): number {
  const form = new RegExp(`^\\d+\\.\\d{${Math.max(DECIMALS[currency], 2)}}$`)
  promise(told === 0 || form.test(String(told)), `${told} is not how the hub tells an amount of ${currency}`)
  return Math.round(Number(told) * 10 ** DECIMALS[currency])
}
