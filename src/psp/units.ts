import { decimalsOf } from '../contract/currency.ts'

/**
 * The currencies that a PSP counts otherwise than ISO 4217: the decimals of its own unit, and the multiple of that unit
 * that an amount must be (1 where it does not say).
 */
export type Units = Readonly<Record<string, { decimals: number; step?: number }>>

/** How many decimals a PSP counts a currency with: those of ISO 4217 where its table does not say. */
export function decimalsAt(currency: string, units: Units): number {
  return units[currency]?.decimals ?? decimalsOf(currency)
}

/** ISO 4217 minor units in the PSP's own unit; null for an amount that the PSP cannot take, which is never rounded. */
export function toPspUnits(amount: number, currency: string, units: Units): number | null {
  const scaled = rescale(amount, decimalsOf(currency), decimalsAt(currency, units))
  return scaled !== null && scaled % (units[currency]?.step ?? 1) === 0 ? scaled : null
}

/** The PSP's own unit in ISO 4217 minor units; null for an amount that they cannot hold. */
export function fromPspUnits(amount: number, currency: string, units: Units): number | null {
  return rescale(amount, decimalsAt(currency, units), decimalsOf(currency))
}

function rescale(amount: number, from: number, to: number): number | null {
  const scaled = to >= from ? amount * 10 ** (to - from) : amount / 10 ** (from - to)
  return Number.isSafeInteger(scaled) ? scaled : null
}
