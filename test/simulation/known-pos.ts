import { makePos, type Pos } from '../support/hub.ts'
import { operate } from '../support/operator.ts'
import { playedMollie } from './played-mollie.ts'
import { playedStripe } from './played-stripe.ts'

/** A live-mode point of sale, and the ids of its accounts by the names of their PSPs. */
export type KnownPos = Pos & { accounts: Readonly<Record<string, string>> }

const operated = async (path: string, body: object): Promise<void> => {
  const answer = await operate('POST', path, body)
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
}

/** Makes a point of sale with an account at each PSP that is played. The first has the route of every method. */
export const makeKnownPos = async (): Promise<KnownPos> => {
  const pos = await makePos({ mode: 'live' })
  const accounts: Record<string, string> = {}
  for (const psp of [playedMollie(), playedStripe()]) {
    const id = `${psp.name}-${pos.id.slice(0, 8)}`
    await operated('/accounts', { id, psp: psp.name, mode: 'live', credentials: psp.credentials(0) })
    accounts[psp.name] = id
  }
  const known = { ...pos, accounts }
  await routeTo(known, ['mollie'])
  return known
}

/** Which accounts are tried for every payment, in which order. */
export const routeTo = ({ id, accounts }: KnownPos, psps: readonly string[]): Promise<void> =>
  operated(`/pos/${id}/routes`, { paymentMethod: '*', accounts: psps.map((psp) => accounts[psp]) })
