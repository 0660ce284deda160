import {
  type Account,
  type Profile,
  SANDBOX_ACCOUNT,
  accountsFor,
  routedMethods,
} from '../registry/profile.ts'
import type { Order } from '../contract/order.ts'
import {
  type UsableMethod,
  PAYMENT_METHODS,
  FORMER_METHODS,
  currenciesOf,
} from '../contract/payment-methods.ts'
import { adyen } from './adyen/adapter.ts'
import { mollie } from './mollie/adapter.ts'
import { multisafepay } from './multisafepay/adapter.ts'
import { paypal } from './paypal/adapter.ts'
import type { Adapter, Limit, Reserves } from './port.ts'
import { stripe } from './stripe/adapter.ts'

/** The PSPs that the hub supports, by the names that operators use. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = { adyen, mollie, multisafepay, paypal, stripe }

export function adapterOf(psp: string): Adapter | undefined {
  return Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
}

/** A payment method that a point of sale can use, and its accounts in the order of the route. */
export type Usable = { paymentMethod: string; accounts: Account[] }

/**
 * Returns the payment methods that an order may name: in test mode the common ones, in live mode those
 * with a route to a PSP that takes them in some currency. A route for `*` stands for all methods that
 * its PSPs know by name.
 */
export function usableMethods(profile: Profile): Usable[] {
  return namesOf(profile)
    .map((paymentMethod) => ({
      paymentMethod,
      accounts: carriersOf(accountsFor(profile, paymentMethod), { paymentMethod }),
    }))
    .filter((usable) => usable.accounts.length > 0 && currenciesAt(usable)?.length !== 0)
}

/**
 * Returns the currencies in which a method can be paid: those of the method that at least one of the
 * accounts takes. Undefined if the hub does not know.
 */
export function currenciesAt({ paymentMethod, accounts }: Usable): readonly string[] | undefined {
  const ofMethod = currenciesOf(paymentMethod)
  const taken = accounts.flatMap(({ currencies }) => currencies ?? ofMethod ?? ANY)
  if (taken.includes(ANY)) return undefined
  return [...new Set(taken)].filter((currency) => ofMethod?.includes(currency) ?? true)
}
const ANY = '*'

function namesOf(profile: Profile): readonly string[] {
  if (profile.mode === 'test') return PAYMENT_METHODS
  const own = routedMethods(profile).filter((name) => name !== '*')
  const others = accountsFor(profile, '*').flatMap(({ psp }) =>
    Array.from(adapterOf(psp)?.methods.keys() ?? []),
  )
  return [...new Set([...own, ...others])].toSorted(commonFirst)
}

/** Puts common methods first, in their own order, and then the others by name. */
function commonFirst(one: string, other: string): number {
  const place = (name: string) => PAYMENT_METHODS.indexOf(name) + 1 || PAYMENT_METHODS.length + 1
  return place(one) - place(other) || (one < other ? -1 : 1)
}

/**
 * Returns the bounds on amounts that these PSPs document for a method, by currency. An order may go to
 * any of the accounts, so the widest bound counts, and only if every PSP documents one.
 */
export function limitsOf({ paymentMethod, accounts }: Usable): Limit[] {
  const documented = accounts.map(({ psp }) => rulesAt(psp)?.limits?.get(paymentMethod.toLowerCase()) ?? [])
  const [first = []] = documented
  return first.flatMap(({ currency }) => {
    const same = documented.map((limits) => limits.find((limit) => limit.currency === currency))
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

/** Returns the adapter whose limits and reserves a PSP has. The sandbox imitates Mollie. */
function rulesAt(psp: string): Adapter | undefined {
  return psp === SANDBOX_ACCOUNT.psp ? mollie : adapterOf(psp)
}

/** Returns how a PSP reserves money; undefined if it never does. */
export function reservesAt(psp: string): Reserves | undefined {
  return rulesAt(psp)?.reserves
}

/**
 * Returns for how many days a method's money stays reserved, and whether several captures, or parts, are possible;
 * undefined if no account can reserve it. An order may go to any account that can, so the least counts.
 */
export function reserveOf({ paymentMethod, accounts }: Usable): UsableMethod['capture'] {
  const name = paymentMethod.toLowerCase()
  const held = accounts.flatMap(({ psp }) => {
    const reserves = reservesAt(psp)
    const days = reserves?.days.get(name)
    return reserves && days !== undefined ? [{ ...reserves, days }] : []
  })
  if (held.length === 0) return undefined
  return {
    days: Math.min(...held.map(({ days }) => days)),
    several: held.every(({ captures }) => captures === 'several'),
    ...(held.some(({ whole }) => whole?.has(name)) ? { whole: true } : {}),
  }
}

/**
 * Returns why an account's PSP cannot take a payment method from the hub; null if it can, or if it lets
 * the customer choose.
 */
export function whyUnsupported({ psp }: Account, paymentMethod: string): string | null {
  return adapterOf(psp)?.unsupported?.get(paymentMethod.toLowerCase()) ?? null
}

/**
 * Returns the accounts that can take a payment method from the hub and, if the point of sale captures,
 * can reserve the money; in the order of the route.
 */
export function carriersOf(
  accounts: readonly Account[],
  { paymentMethod, capture }: Pick<Order, 'paymentMethod' | 'capture'>,
): Account[] {
  return accounts.filter(
    (account) =>
      whyUnsupported(account, paymentMethod) === null &&
      (capture !== 'manual' || reserveOf({ paymentMethod, accounts: [account] }) !== undefined),
  )
}

/** Returns the accounts that can take an order from the hub, in the order of the route. */
export function takersOf(
  accounts: readonly Account[],
  order: Pick<Order, 'paymentMethod' | 'capture' | 'currency'>,
): Account[] {
  return carriersOf(accounts, order).filter(({ currencies }) => currencies?.includes(order.currency) ?? true)
}

/** The payment methods that an order in test mode may name: the common ones, then all others. */
export const TEST_METHODS: readonly string[] = [
  ...new Set([
    ...PAYMENT_METHODS,
    ...Object.values(ADAPTERS)
      .flatMap(({ methods }) => Array.from(methods.keys()))
      .toSorted(),
  ]),
]

const TAKEN: ReadonlySet<string> = new Set([...TEST_METHODS, ...FORMER_METHODS])

/** Returns whether an order in test mode may name this payment method, in any case. */
export function isTestMethod(name: string): boolean {
  return TAKEN.has(name.toLowerCase())
}
