import { bounded } from '../platform/bounded.ts'
import { within } from '../platform/deadline.ts'
import type { Account, AssignedTerminal, Profile } from '../registry/profile.ts'
import { accountOfTerminal, terminalsOf } from '../registry/terminals.ts'
import { connect } from './connect.ts'
import { unavailable } from './http-client.ts'
import type { Terminals } from './port.ts'

/** An account's list of its terminals. `none`: the hub drives no terminals with this account. */
export type TerminalsAnswer = Awaited<ReturnType<Terminals['list']>> | { is: 'none' }

/** How long (ms) this isolate keeps an answer. Otherwise every till that looks would ask the PSP again. */
const LATELY = 10_000
const lately = bounded<TerminalsAnswer>(LATELY)
/** How long (ms) a caller waits for the list. A till then shows its terminals without their state. */
const LONGEST = 3000

/** Asks an account's PSP for its terminals, or returns its answer of the last ten seconds. */
export async function listedTerminals(env: Env, account: Account, origin: string): Promise<TerminalsAnswer> {
  const known = lately.get(account.id)
  if (known) return known
  const psp = await connect(env, account, origin)
  const answer: TerminalsAnswer = psp.terminals
    ? ((await within(LONGEST, psp.terminals.list())) ?? unavailable('The PSP did not answer in time.'))
    : { is: 'none' }
  lately.set(account.id, answer)
  return answer
}

/** A terminal of a point of sale, and whether it is on; null if its PSP does not say. */
type TerminalState = Omit<AssignedTerminal, 'isDefault'> & { isDefault: boolean; isOn: boolean | null }

/** Returns the terminals of a point of sale. Asks each of their accounts once, all at the same time. */
export async function seenTerminals(env: Env, profile: Profile, origin: string): Promise<TerminalState[]> {
  const assigned = terminalsOf(profile)
  const accounts = new Set(assigned.flatMap((one) => accountOfTerminal(profile, one) ?? []))
  const answers = new Map(
    await Promise.all(
      [...accounts].map(
        async (account) => [account.id, await listedTerminals(env, account, origin)] as const,
      ),
    ),
  )
  return assigned.map(({ id, name, account, isDefault = false }) => {
    const answer = answers.get(account)
    const listed = answer?.is === 'listed' ? answer.terminals.find((one) => one.id === id) : undefined
    return { id, name, account, isDefault, isOn: listed?.isOn ?? null }
  })
}
