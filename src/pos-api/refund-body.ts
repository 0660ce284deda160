import * as v from 'valibot'
import type { Job } from '../job/rules/job.ts'
import { describeRefund } from '../job/rules/refund-request.ts'
import { type Result, ok } from '../platform/result.ts'
import type { JsonObject } from '../platform/http/body.ts'
import { invalid, invalidField } from '../platform/http/invalid.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { LONGEST } from './contract/lengths.ts'
import { SentAmount, keepDigitsOf, readSentAmount } from './sent-amount.ts'

/** A long amount does not fit a double. */
export const keepRefundDigits = keepDigitsOf([])

const RefundBody = v.object({
  amount: v.optional(SentAmount),
  description: v.optional(
    v.pipe(
      v.string('must be a text'),
      v.maxLength(LONGEST.description, `must have at most ${LONGEST.description} characters`),
      v.check((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not have control characters'),
    ),
  ),
})

/** Reads what is to go back: an amount in minor units, null for all that is left. Unknown fields are ignored. */
export function readRefund(
  body: JsonObject,
  job: Job,
): Result<{ amount: number | null; description: string }, Refusal> {
  const parsed = v.safeParse(RefundBody, body)
  if (!parsed.success) return invalid(parsed.issues)
  const { amount, description = describeRefund(job) } = parsed.output
  if (amount === undefined) return ok({ amount: null, description })
  const minor = readSentAmount(amount, job.order.currency)
  return minor.ok ? ok({ amount: minor.value, description }) : invalidField('amount', minor.error)
}
