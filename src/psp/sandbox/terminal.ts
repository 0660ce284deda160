import * as v from 'valibot'
import { sha256 } from '../../platform/crypto/hash.ts'
import { markId } from '../../platform/crypto/signing.ts'
import { namedObject } from '../../platform/named-object.ts'
import { SANDBOX_TERMINALS } from '../../registry/terminals.ts'
import { type AskAnswer, type RefusedOrder, refusedOrder } from '../answer.ts'
import type { ListedTerminal, TerminalRequest } from '../port.ts'
import { DECLINED } from './plays.ts'
import type { Payment } from './payment.ts'
import { wishIn } from './wishes.ts'

/**
 * A simulated terminal as its object stores it. `payment`: the newest one that it took; `since`: when
 * (ms). The same object class holds payments and terminals, under different keys.
 */
export const Terminal = v.object({
  id: v.string(),
  payment: v.nullable(v.string()),
  since: v.number(),
  isOff: v.exactOptional(v.literal(true)),
})
export type Terminal = v.InferOutput<typeof Terminal>

/** Returns the name of a terminal's object. Each point of sale has its own terminals. */
export async function terminalObject(env: Env, pos: string, id: string): Promise<string> {
  const name = (await sha256(`sandbox-terminal:${pos}:${id}`)).slice(0, 14)
  return markId(env.SIGNING_ROOT, `tm_${name}`)
}

export function isTerminalObject(name: string): boolean {
  return /^tm_\w{10,40}$/.test(name)
}

export function terminalPage({ origin, terminal }: Payment): string | null {
  return terminal ? `${origin}/sandbox/terminals/${terminal.object}` : null
}

const REFUSED = {
  terminal_busy: refusedOrder('terminal_busy', 'The terminal is busy with another payment.'),
  terminal_off: refusedOrder('terminal_off', 'The terminal is off.'),
}

/** How long (ms) a terminal stays busy with a payment that it was given but that does not exist yet. */
const HANDOVER = 10_000

/**
 * Gives a payment to its terminal, which has one at a time, before the payment is made. Returns why the
 * payment cannot begin; null if it can, or if it exists already.
 */
export async function giveToTerminal(
  env: Env,
  { id, terminal, description }: Payment,
  { isSent, mayStart }: TerminalRequest,
): Promise<RefusedOrder | null> {
  if (!terminal || (await objectOf(env, id).read())) return null
  if (isSent && !mayStart)
    return refusedOrder('terminal_unreachable', 'The terminal never began the payment.')
  const wish = wishIn(description)
  if (wish?.is === 'no-start') return REFUSED[wish.reason]
  const known = await objectOf(env, terminal.object).terminal()
  if (known?.isOff) return REFUSED.terminal_off
  const before = known?.payment ?? null
  if (known && before !== null && before !== id && (await isAtWork(env, before, known.since)))
    return REFUSED.terminal_busy
  const taken = await objectOf(env, terminal.object).take(terminal.id, id, before)
  return taken === id ? null : REFUSED.terminal_busy
}

function objectOf(env: Env, name: string) {
  return namedObject(env, env.SANDBOX_PAYMENT, name)
}

async function isAtWork(env: Env, payment: string, since: number): Promise<boolean> {
  const held = await objectOf(env, payment).read()
  return held ? held.status === 'open' : Date.now() < since + HANDOVER
}

export async function listSandboxTerminals() {
  const terminals: ListedTerminal[] = SANDBOX_TERMINALS.map(({ id, name }) => ({ id, name, isOn: true }))
  return { is: 'listed' as const, terminals }
}

/** Returns what the sandbox shows only about a payment at a terminal. */
export function atTerminal({ terminal, status, progress, tip, card, reason }: Payment) {
  if (!terminal) return {}
  return {
    expiresAt: null,
    ...(status === 'open' ? { progress: progress ?? ('waiting-for-card' as const) } : {}),
    ...(tip === undefined ? {} : { tip }),
    ...(card === undefined ? {} : { card }),
    ...(status === 'failed' ? { reason: reason ?? DECLINED } : {}),
  } satisfies Partial<AskAnswer>
}
