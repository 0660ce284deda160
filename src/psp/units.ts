import { decimalsOf } from '../domain/currency.ts'

/**
 * How a PSP counts currencies that it counts otherwise than ISO 4217: the decimals of its own unit, and the multiple of
 * that unit that an amount must be (1 where it does not say).
 */
export type Units = Readonly<Record<string, { decimals: number; step?: number }>>

/** ISO 4217 minor units in the PSP's own unit; null for an amount that the PSP cannot take, which is never rounded. */
export const toPspUnits = (amount: number, currency: string, units: Units): number | null => {
  const { decimals, step = 1 } = units[currency] ?? { decimals: decimalsOf(currency) }
  const scaled = rescale(amount, decimalsOf(currency), decimals)
  return scaled !== null && scaled % step === 0 ? scaled : null
}

/** The PSP's own unit in ISO 4217 minor units; null for an amount that they cannot hold. */
export const fromPspUnits = (amount: number, currency: string, units: Units): number | null =>
  rescale(amount, units[currency]?.decimals ?? decimalsOf(currency), decimalsOf(currency))

const rescale = (amount: number, from: number, to: number): number | null => {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to)
  return Number.isSafeInteger(scaled) ? scaled : null
}
