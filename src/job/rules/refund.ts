import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'

/**
 * A refund that the hub was asked for. `asking`: the PSP was or is to be asked, and has not answered; `pending`: the PSP took
 * it; `done`: the money went back; `failed`: it did not. `amount` is in minor units, `at` and `checkAt` in milliseconds.
 * `reference` is the PSP's id of it, `checks` counts how often the PSP was asked what became of it. `call` is the one request
 * to the hub that asks the PSP for it.
 */
export const Refund = v.object({
  id: v.string(),
  fingerprint: v.string(),
  call: v.string(),
  amount: Integer,
  description: v.string(),
  at: Integer,
  state: v.picklist(['asking', 'pending', 'done', 'failed']),
  reference: v.nullable(v.string()),
  error: v.nullable(v.string()),
  checks: Integer,
  checkAt: v.nullable(Integer),
})
export type Refund = v.InferOutput<typeof Refund>

export function isSettled({ state }: Refund): boolean {
  return state === 'done' || state === 'failed'
}

/** What refunds take of what was paid, in minor units: all but those that failed. One that may have been taken counts. */
export function committed(refunds: readonly Refund[]): number {
  return refunds.filter(({ state }) => state !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
}
