import { describeFault } from '../domain/fault.ts'
import { unseal } from '../crypto/seal.ts'
import type { Account, Profile } from '../registry/profile.ts'
import { ADAPTERS } from './adapters.ts'
import { unavailable } from './call.ts'
import { mollie } from './mollie.ts'
import type { Psp } from './port.ts'
import { SANDBOX_API_PATH, SANDBOX_PSP, connectSandbox } from './sandbox/connect.ts'

/** The account of every test-mode point of sale. It has no row: its credentials are the hub's own. */
export const SANDBOX_ACCOUNT: Account = { id: SANDBOX_PSP, psp: SANDBOX_PSP, sealed: '' }

/**
 * The account that takes a payment method of a point of sale, or null when none does. Test mode has the sandbox for
 * every method, and nothing else; live mode has its routes, and never the sandbox.
 */
export const accountFor = (profile: Profile, paymentMethod: string): Account | null => {
  if (profile.mode === 'test') return SANDBOX_ACCOUNT
  const route =
    profile.routes.find((candidate) => candidate.paymentMethod === paymentMethod) ??
    profile.routes.find((candidate) => candidate.paymentMethod === '*')
  return profile.accounts.find(({ id, psp }) => id === route?.account && psp !== SANDBOX_PSP) ?? null
}

/** The payment methods a live point of sale has routes for. */
export const routedMethods = (profile: Profile): string[] => [
  ...new Set(profile.routes.map(({ paymentMethod }) => paymentMethod)),
]

/**
 * Opens an account. `origin` is the hub's own, under which the sandbox's pages are. An account that cannot be opened
 * is logged, and is a PSP that does not answer: its payments wait instead of failing.
 */
export const connect = async (env: Env, account: Account, origin: string): Promise<Psp> => {
  try {
    if (account.psp === SANDBOX_PSP) return mollie.open(await connectSandbox(env, origin + SANDBOX_API_PATH))
    const adapter = Object.hasOwn(ADAPTERS, account.psp) ? ADAPTERS[account.psp] : undefined
    if (!adapter) throw new Error(`unknown PSP ${account.psp}`)
    const credentials: unknown = JSON.parse(await unseal(env.SEALING_KEY, account.id, account.sealed))
    return adapter.open({ fetch: (request) => fetch(request), mode: 'live', credentials })
  } catch (error) {
    console.error({ event: 'psp.account-unusable', account: account.id, error: describeFault(error) })
    return SILENT_PSP
  }
}

const silence = async () => unavailable('The account at the payment service provider cannot be used.')

export const SILENT_PSP: Psp = {
  announce: silence,
  pull: silence,
  readNotification: async () => ({ is: 'about', payments: [] }),
  accepted: 'OK',
  check: silence,
}
