import * as v from 'valibot'
import { Integer } from '../../contract/values.ts'

/**
 * Status pulls that the PSP did not answer, one after another: since when and at last when (both ms), how many, and what came instead.
 * `silent`: no answer; `refused`: not to this account; `unknown`: the PSP does not know the payment. That there are any is stored;
 * `last` and `pulls` may be older in storage than in memory.
 */
export const Unanswered = v.object({
  is: v.picklist(['silent', 'refused', 'unknown']),
  since: Integer,
  last: Integer,
  pulls: Integer,
  message: v.string(),
})
export type Unanswered = v.InferOutput<typeof Unanswered>
