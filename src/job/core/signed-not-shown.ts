import { dueAfter } from './money.ts'
import { signedIn } from './parts.ts'
import type { Payment } from './payment.ts'
import type { State } from './state.ts'

/**
 * Returns a payment that the PSP has signed as authorised, while its API, asked since, shows it neither
 * as paid nor as reserved. An order that can still be paid may wait for its other parts.
 */
export function signedOnly(state: State): Payment | undefined {
  const { payments, standing, order } = state
  if (standing.is === 'paid') return undefined
  const isEnough = (signed: number) => standing.is === 'ended' || dueAfter(state, signed) === 0
  // A till that has shown the end of a payment must learn at once that the PSP signs another one.
  const waits = standing.is !== 'ended' || !order.terminal
  return payments.find(({ asks: { prompted }, moves, paid, authorized }) => {
    if ((waits && prompted?.tries === 0) || authorized > 0) return false
    if (prompted?.isPaid) return dueAfter(state, paid) > 0
    const signed = signedIn(moves) ?? 0
    return isEnough(signed) && signed > paid
  })
}
