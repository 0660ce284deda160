import type { Account, Profile } from '../registry/profile.ts'
import { PAYMENT_METHODS, FORMER_METHODS } from '../contract/payment-methods.ts'
import { accountsFor, routedMethods } from '../registry/route-rules.ts'
import { adyen } from './adyen/adapter.ts'
import { mollie } from './mollie/adapter.ts'
import { multisafepay } from './multisafepay/adapter.ts'
import type { Adapter, Limit } from './port.ts'
import { stripe } from './stripe/adapter.ts'

/** The PSPs that accounts can be at, by the names that operators use. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = { adyen, mollie, multisafepay, stripe }

/** The adapter of a PSP by its name, or undefined for any other text. */
export function adapterOf(psp: string): Adapter | undefined {
  return Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
}

/**
 * A payment method that a point of sale can use, and the accounts that take it, in the order in
 * which they are tried.
 */
export type Usable = { paymentMethod: string; accounts: Account[] }

/**
 * The payment methods that an order of this point of sale may name: in test mode the common ones,
 * in live mode those that a route leads to and its accounts' PSPs can take from the hub. A route
 * for `*` stands for all that its PSPs know by name.
 */
export function usableMethods(profile: Profile): Usable[] {
  return namesOf(profile)
    .map((paymentMethod) => ({
      paymentMethod,
      accounts: carriersOf(accountsFor(profile, paymentMethod), paymentMethod),
    }))
    .filter(({ accounts }) => accounts.length > 0)
}

function namesOf(profile: Profile): readonly string[] {
  if (profile.mode === 'test') return PAYMENT_METHODS
  const own = routedMethods(profile).filter((name) => name !== '*')
  const others = accountsFor(profile, '*').flatMap(({ psp }) =>
    Array.from(adapterOf(psp)?.methods.keys() ?? []),
  )
  return [...new Set([...own, ...others])].toSorted(commonFirst)
}

/** The common methods in their own order, then the others by name. */
function commonFirst(one: string, other: string): number {
  const place = (name: string) => PAYMENT_METHODS.indexOf(name) + 1 || PAYMENT_METHODS.length + 1
  return place(one) - place(other) || (one < other ? -1 : 1)
}

/**
 * What the PSPs of these accounts say that they take of a method, by currency: an order may go to
 * any of them. A bound is told when each of them has one: without, the hub does not know what the
 * others take.
 */
export function limitsOf({ paymentMethod, accounts }: Usable): Limit[] {
  const told = accounts.map(({ psp }) => adapterOf(psp)?.limits?.get(paymentMethod) ?? [])
  const [first = []] = told
  return first.flatMap(({ currency }) => {
    const same = told.map((limits) => limits.find((limit) => limit.currency === currency))
    const minimum = Math.min(...same.map((limit) => limit?.minimum ?? 0))
    const maximum = Math.max(...same.map((limit) => limit?.maximum ?? Infinity))
    const limit = {
      currency,
      ...(minimum > 0 ? { minimum } : {}),
      ...(maximum < Infinity ? { maximum } : {}),
    }
    return minimum > 0 || maximum < Infinity ? [limit] : []
  })
}

/**
 * Why an account's PSP cannot take a payment method from the hub; null when it can, or leaves the
 * choice to the customer.
 */
export function whyUnsupported({ psp }: Account, paymentMethod: string): string | null {
  return adapterOf(psp)?.unsupported?.get(paymentMethod.toLowerCase()) ?? null
}

/**
 * Those of a route's accounts that can take a payment method from the hub, in the order of the
 * route.
 */
export function carriersOf(accounts: readonly Account[], paymentMethod: string): Account[] {
  return accounts.filter((account) => whyUnsupported(account, paymentMethod) === null)
}

/**
 * The names of payment methods that an order in test mode may have: the common ones, then the
 * others that a PSP knows, by name.
 */
export const TEST_METHODS: readonly string[] = [
  ...new Set([
    ...PAYMENT_METHODS,
    ...Object.values(ADAPTERS)
      .flatMap(({ methods }) => Array.from(methods.keys()))
      .toSorted(),
  ]),
]

const TAKEN: ReadonlySet<string> = new Set([...TEST_METHODS, ...FORMER_METHODS])

/** Whether an order in test mode may have this name, in small or capital letters. */
export function isTestMethod(name: string): boolean {
  return TAKEN.has(name.toLowerCase())
}
