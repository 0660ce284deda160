import { type Account, type Profile, SANDBOX_ACCOUNT } from './profile.ts'

/** A payment method, and the accounts that take it, in the order in which they are tried. */
export type PaymentRoute = { paymentMethod: string; accounts: string[] }

/** Tried in this order; none without a route. Test mode has the sandbox, live mode never. */
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
