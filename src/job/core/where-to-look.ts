import type { Duty } from './duties.ts'
import { lookName } from './duty-names.ts'
import type { FactOf } from './facts.ts'
import type { State } from './state.ts'

/*
 * A notification may be about a payment that the job does not have. These rules say how the hub finds it.
 */

/** Names the duty that finds a payment at an account. For a terminal, that is to announce the order again. */
export function nameOfLook({ order, payments }: State, { account }: FactOf<'notified'>): string {
  return order.terminal && payments.length === 0 ? 'announce' : lookName(account)
}

/**
 * Returns the look that a terminal's notification of an unknown payment calls for: the PSP has signed the
 * payment, while the terminal may not answer; or the order reached the terminal after the PSP had said
 * that it never began. Nothing else would ever bring that payment to the job.
 */
export function terminalLook(
  { order, standing, payments }: State,
  { account, payment }: FactOf<'notified'>,
  at: number,
): Duty | undefined {
  if (order.terminal?.account !== account) return undefined
  if (payment !== undefined) return { do: 'look', account, isHeld: true, at }
  const isLate = standing.is === 'ended' && payments.length === 0
  return isLate ? { do: 'look', account, at } : undefined
}
