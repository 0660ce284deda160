import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'

/**
 * A payment that an account may hold beside the job's own: it did not answer when the order was announced there, and another
 * account took the order. `reference` is null while nobody knows whether there is one. `paid` is in minor units; `at` (ms)
 * is when it is looked after next, null when no more; `tries` counts the looks.
 */
export const OtherPayment = v.object({
  account: v.string(),
  reference: v.nullable(v.string()),
  paid: Integer,
  tries: Integer,
  at: v.nullable(Integer),
})
export type OtherPayment = v.InferOutput<typeof OtherPayment>
