import * as v from 'valibot'

/** `reversal`: a refund or a chargeback that went back has come again. */
export const MovementKind = v.picklist(['payment', 'refund', 'chargeback', 'reversal'])
export type MovementKind = v.InferOutput<typeof MovementKind>

/**
 * Money that moved at an account, when the hub learnt it (ms, real time). `amount` is what the
 * merchant has more (minor units): less than zero for money that went away.
 */
export const Movement = v.object({
  at: v.number(),
  is: MovementKind,
  account: v.string(),
  reference: v.string(),
  amount: v.number(),
})
export type Movement = v.InferOutput<typeof Movement>
