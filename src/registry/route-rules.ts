import { type Account, type Profile, SANDBOX_ACCOUNT } from './profile.ts'

/** A payment method and its accounts, in the order in which the hub tries them. */
export type PaymentRoute = { paymentMethod: string; accounts: string[] }

/** Returns the accounts to try, in order; none without a route. Only test mode has the sandbox. */
export function accountsFor(profile: Profile, paymentMethod: string): Account[] {
  if (profile.mode === 'test') return [SANDBOX_ACCOUNT]
  const own = routedTo(profile, paymentMethod.toLowerCase())
  const routes = own.length > 0 ? own : routedTo(profile, '*')
  return routes.flatMap(({ account }) =>
    profile.accounts.filter(({ id, psp }) => id === account && psp !== SANDBOX_ACCOUNT.psp),
  )
}

export function routedMethods(profile: Profile): string[] {
  return [...new Set(profile.routes.map(({ paymentMethod }) => paymentMethod))]
}

function routedTo(profile: Profile, paymentMethod: string) {
  return profile.routes.filter((route) => route.paymentMethod === paymentMethod)
}
