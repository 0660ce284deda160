import { MoneyMove } from '../../psp/answer.ts'
import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'
import { Refund } from './refund.ts'

/** A change of what went back: when (µs), and the totals after it in minor units. */
export const MoneyBackStep = v.object({
  at: Integer,
  action: v.picklist(['Refund', 'Chargeback']),
  refunded: Integer,
  chargedBack: Integer,
})
export type MoneyBackStep = v.InferOutput<typeof MoneyBackStep>

/**
 * What became of a payment's money after it was paid. `refunded` and `chargedBack` are in minor units, as the PSP tells them;
 * `elsewhere` is the part of `refunded` that was not asked for here. `payment` is the PSP's reference of the payment, where
 * refunds need another one than pulls.
 */
export const MoneyBack = v.object({
  refunded: Integer,
  chargedBack: Integer,
  elsewhere: Integer,
  steps: v.array(MoneyBackStep),
  refunds: v.array(Refund),
  moves: v.array(MoneyMove),
  payment: v.nullable(v.string()),
})
export type MoneyBack = v.InferOutput<typeof MoneyBack>

export const NOTHING_BACK: MoneyBack = {
  refunded: 0,
  chargedBack: 0,
  elsewhere: 0,
  steps: [],
  refunds: [],
  moves: [],
  payment: null,
}

/** A refund as the moves that are about it settle it, in whatever order they were told: a failure is the last word. */
export function settledBy(refund: Refund, moves: readonly MoneyMove[]): Refund {
  const own = moves.filter((move) => isOf(move, refund))
  const failure = own.find(({ kind }) => kind === 'refund-failed')
  if (failure) {
    return refund.state === 'failed'
      ? refund
      : { ...refund, state: 'failed', error: failure.error ?? refund.error, checkAt: null }
  }
  return refund.state !== 'done' && own.some(({ kind }) => kind === 'refund')
    ? { ...refund, state: 'done', checkAt: null }
    : refund
}

function isOf(move: MoneyMove, { id, reference }: Refund): boolean {
  return move.refund === id || (reference !== null && move.reference === reference)
}
