import { adyen } from './adyen/adapter.ts'
import { mollie } from './mollie/adapter.ts'
import { multisafepay } from './multisafepay/adapter.ts'
import type { Adapter } from './port.ts'
import { stripe } from './stripe/adapter.ts'

/** The PSPs that accounts can be at, by the names that operators use. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = { adyen, mollie, multisafepay, stripe }

/** The adapter of a PSP by its name, or undefined for any other text. */
export function adapterOf(psp: string): Adapter | undefined {
  return Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
}
