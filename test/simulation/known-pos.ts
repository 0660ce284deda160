import { makePos, type Pos } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { env } from 'cloudflare:workers'
import { addTerminal as registerTerminal } from '../../src/registry/terminals.ts'
import { playedAccounts } from './played.ts'
import { terminalAt } from './psp.ts'

/**
 * A live-mode point of sale. `accounts`: the hub's ids by the simulation's names. `keys`: how often each
 * account's key was changed. `isRouted`: a schedule changed the routes. `until` (ms): when the last schedule
 * ended; one that starts earlier would meet its tokens and former signing secrets.
 */
export type KnownPos = Pos & {
  /** Another point of sale, in test mode. */
  test: Pos
  accounts: Readonly<Record<string, string>>
  keys: readonly number[]
  until: number
  isRouted: boolean
}

async function operateOrThrow(path: string, body: object): Promise<void> {
  const answer = await operate('POST', path, body)
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
}

/** Makes a point of sale with all simulated accounts, of which the first takes every method. */
export async function makeKnownPos(): Promise<KnownPos> {
  const pos = await makePos({ mode: 'live' })
  const accounts: Record<string, string> = {}
  const played = playedAccounts()
  for (const { name, psp, credentials } of played) {
    const id = `${name}-${pos.id.slice(0, 8)}`
    await operateOrThrow('/accounts', { id, psp, mode: 'live', credentials: credentials(0) })
    accounts[name] = id
  }
  // Straight into the registry: the operator API would ask the PSP, whose double does not answer yet.
  for (const { name, addTerminal } of played) {
    const account = accounts[name]
    if (!addTerminal || account === undefined) continue
    const terminal = terminalAt(account)
    await registerTerminal(env.DB, { id: terminal, account, name, alertHours: null, createdAt: Date.now() })
    await operateOrThrow(`/pos/${pos.id}/terminals`, { terminal })
  }
  const test = await makePos()
  const known = { ...pos, test, accounts, keys: played.map(() => 0), until: 0, isRouted: true }
  return withFirstRoute(known)
}

/** Routes every payment to the first account, as at the start. */
export async function withFirstRoute(pos: KnownPos): Promise<KnownPos> {
  const [first] = Object.values(pos.accounts)
  await operateOrThrow(`/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [first] })
  return { ...pos, isRouted: false }
}
