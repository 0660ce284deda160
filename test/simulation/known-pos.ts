import { makePos, type Pos } from '../support/hub.ts'
import { operate } from '../support/operator.ts'
import { env } from 'cloudflare:workers'
import { addTerminal } from '../../src/registry/terminals.ts'
import { playedAccounts } from './played.ts'
import { terminalAt } from './psp.ts'

/**
 * A live-mode point of sale, the ids of its accounts by the names that they have here, and how often
 * the key of each was changed. `isRouted`: a schedule has left it with other routes. `until` (ms) is
 * when the last schedule ended: one that begins before that would meet what is still to come, such
 * as tokens that end then, or a former signing secret.
 */
export type KnownPos = Pos & {
  /** Another point of sale, in test mode. */
  test: Pos
  accounts: Readonly<Record<string, string>>
  keys: readonly number[]
  until: number
  isRouted: boolean
}

async function operated(path: string, body: object): Promise<void> {
  const answer = await operate('POST', path, body)
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
}

/**
 * Makes a point of sale with all accounts that are played. The first has the route of every
 * method.
 */
export async function makeKnownPos(): Promise<KnownPos> {
  const pos = await makePos({ mode: 'live' })
  const accounts: Record<string, string> = {}
  const played = playedAccounts()
  for (const { name, psp, credentials } of played) {
    const id = `${name}-${pos.id.slice(0, 8)}`
    await operated('/accounts', { id, psp, mode: 'live', credentials: credentials(0) })
    accounts[name] = id
  }
  // The registry itself: nobody answers for a PSP yet, which the operator API asks for its terminals.
  for (const { name, hasTerminal } of played) {
    const account = accounts[name]
    if (!hasTerminal || account === undefined) continue
    const terminal = terminalAt(account)
    await addTerminal(env.DB, { id: terminal, account, name, alertHours: null, createdAt: Date.now() })
    await operated(`/pos/${pos.id}/terminals`, { terminal })
  }
  const test = await makePos()
  const known = { ...pos, test, accounts, keys: played.map(() => 0), until: 0, isRouted: true }
  return routedAnew(known)
}

/** The first account takes every payment, as before any schedule. */
export async function routedAnew(pos: KnownPos): Promise<KnownPos> {
  const [first] = Object.values(pos.accounts)
  await operated(`/pos/${pos.id}/routes`, { paymentMethod: '*', accounts: [first] })
  return { ...pos, isRouted: false }
}
