import { committed, ofPayment } from './money.ts'
import { type Asks, type Instruction, type Payment, isUnderWay } from './payment.ts'
import type { State } from './state.ts'
import { type TransferKind, byOthersIn } from './transfers.ts'

/** Counts again what others have captured and refunded. */
export function withOthers(payment: Payment, state: State): Payment {
  const { paid, lost, refunded, foreign, foreignCaptured, transfers, asks } = payment
  const [refunds, captures] = [ofPayment(state, payment, 'refund'), ofPayment(state, payment, 'capture')]
  return {
    ...payment,
    foreign: byOthersIn(transfers?.refund, refunds, foreign) ?? byOthers(refunded, foreign, refunds, asks),
    foreignCaptured:
      byOthersIn(transfers?.capture, captures, foreignCaptured) ??
      byOthers(paid - lost, foreignCaptured, captures, asks),
  }
}

/**
 * Returns how much of a PSP's total others than the hub have captured or refunded (minor units). The
 * total may or may not include an instruction that is unsettled, or that was settled after the hub asked
 * for the total: the earlier amount then stays if it is higher.
 */
function byOthers(
  total: number,
  before: number,
  instructions: readonly Instruction[],
  { answeredAt }: Asks,
): number {
  const others = Math.max(total - committed(instructions), 0)
  const isUnsure = instructions.some((one) => isUnderWay(one) || one.answeredAt > answeredAt)
  return isUnsure ? Math.max(before, others) : others
}

/** Returns the part of a total that the hub did not ask for (minor units). */
export function foreignOf(payment: Payment, kind: TransferKind): number {
  const { foreign, foreignCaptured, chargedBack, authorized } = payment
  if (kind === 'refund') return foreign
  if (kind === 'dispute') return chargedBack
  return kind === 'capture' && authorized > 0 ? foreignCaptured : 0
}
