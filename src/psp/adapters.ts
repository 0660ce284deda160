import { adyen } from './adyen.ts'
import { mollie } from './mollie.ts'
import { multisafepay } from './multisafepay.ts'
import type { Adapter } from './port.ts'
import { stripe } from './stripe.ts'

/** The PSPs that accounts can be at, by the names that operators use. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = { adyen, mollie, multisafepay, stripe }
