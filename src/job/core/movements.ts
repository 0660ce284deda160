import * as v from 'valibot'

/** `reversal`: money of a refund or a chargeback came back to the merchant. */
const MovementKind = v.picklist(['payment', 'refund', 'chargeback', 'reversal'])

/**
 * Money that moved at an account. `at`: when the hub learnt of it (ms, real time). `amount`: how
 * much more the merchant has (minor units), below zero for money that went away.
 */
export const Movement = v.object({
  at: v.number(),
  is: MovementKind,
  account: v.string(),
  reference: v.string(),
  amount: v.number(),
})
export type Movement = v.InferOutput<typeof Movement>
