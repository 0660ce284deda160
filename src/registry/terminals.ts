import { type Account, type AssignedTerminal, type Profile, SANDBOX_ACCOUNT } from './profile.ts'

/** The simulated terminals of every point of sale in test mode. */
export const SANDBOX_TERMINALS: readonly AssignedTerminal[] = [
  { id: 'sandbox-1', name: 'Counter 1', account: SANDBOX_ACCOUNT.id, isDefault: true },
  { id: 'sandbox-2', name: 'Counter 2', account: SANDBOX_ACCOUNT.id },
  { id: 'sandbox-3', name: 'Terrace', account: SANDBOX_ACCOUNT.id },
]

/** The word of an order for the terminal that its point of sale uses by default. */
export const DEFAULT_TERMINAL = 'default'

export function terminalsOf({ mode, terminals = [] }: Profile): readonly AssignedTerminal[] {
  return mode === 'test' ? SANDBOX_TERMINALS : terminals
}

/** Finds the terminal that an order names, by its id or as the default. */
export function findTerminal(profile: Profile, named: string): AssignedTerminal | undefined {
  const all = terminalsOf(profile)
  return named === DEFAULT_TERMINAL ? all.find((one) => one.isDefault) : all.find(({ id }) => id === named)
}

/** Returns the account that drives a terminal; undefined for one that the profile lacks. */
export function accountOfTerminal(profile: Profile, { account }: AssignedTerminal): Account | undefined {
  return profile.mode === 'test' ? SANDBOX_ACCOUNT : profile.accounts.find(({ id }) => id === account)
}
