import type { Account } from '../registry/profile.ts'
import { adapterOf } from '../psp/adapters.ts'

/** Why an account's PSP cannot take a payment method from the hub; null when it can, or leaves the choice to the customer. */
export function whyUnsupported({ psp }: Account, paymentMethod: string): string | null {
  return adapterOf(psp)?.unsupported.get(paymentMethod.toLowerCase()) ?? null
}

/** Those of a route's accounts that can take a payment method from the hub, in the order of the route. */
export function carriersOf(accounts: readonly Account[], paymentMethod: string): Account[] {
  return accounts.filter((account) => whyUnsupported(account, paymentMethod) === null)
}
