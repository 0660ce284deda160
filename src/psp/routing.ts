import type { Account, Profile } from '../registry/profile.ts'
import { SANDBOX_PSP } from './sandbox/connect.ts'

/** The account of every test-mode point of sale. It has no row: its credentials are the hub's own. */
export const SANDBOX_ACCOUNT: Account = { id: SANDBOX_PSP, psp: SANDBOX_PSP, mode: 'test', sealed: '' }

/**
 * The accounts that take a payment method of a point of sale, in the order in which they are tried; none when it is
 * routed nowhere. Test mode has the sandbox for every method, and nothing else; live mode has its routes, and never the
 * sandbox.
 */
export const accountsFor = (profile: Profile, paymentMethod: string): Account[] => {
  if (profile.mode === 'test') return [SANDBOX_ACCOUNT]
  const own = routesOf(profile, paymentMethod.toLowerCase())
  const routes = own.length > 0 ? own : routesOf(profile, '*')
  return routes.flatMap(({ account }) =>
    profile.accounts.filter(({ id, psp }) => id === account && psp !== SANDBOX_PSP),
  )
}

/** The payment methods a live point of sale has routes for. */
export const routedMethods = (profile: Profile): string[] => [
  ...new Set(profile.routes.map(({ paymentMethod }) => paymentMethod)),
]

const routesOf = (profile: Profile, paymentMethod: string) =>
  profile.routes.filter((route) => route.paymentMethod === paymentMethod)
