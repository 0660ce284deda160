import type { Account } from '../domain/account.ts'
import { ADAPTERS } from '../psp/adapters.ts'

/** Why an account's PSP cannot take a payment method from the hub; null when it can, or leaves the choice to the customer. */
export const whyUnsupported = ({ psp }: Account, paymentMethod: string): string | null => {
  const adapter = Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
  return adapter?.unsupported.get(paymentMethod.toLowerCase()) ?? null
}

/** Those of a route's accounts that can take a payment method from the hub, in the order of the route. */
export const carriersOf = (accounts: readonly Account[], paymentMethod: string): Account[] =>
  accounts.filter((account) => whyUnsupported(account, paymentMethod) === null)
