import type * as v from 'valibot'
import type { NewRefund } from '../contract/refund.ts'
import type { Job } from '../job/rules/job.ts'
import { describeRefund } from '../job/rules/refund-request.ts'
import { invalidField } from '../platform/http/invalid.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { ok, type Result } from '../contract/result.ts'
import { readSentAmount } from './sent-amount.ts'

/** What is to go back of a job: an amount in minor units, null for all that is left. */
export function readRefund(
  { amount, description: given }: v.InferOutput<typeof NewRefund>,
  job: Job,
): Result<{ amount: number | null; description: string }, Refusal> {
  const description = given ?? describeRefund(job)
  if (amount === undefined) return ok({ amount: null, description })
  const minor = readSentAmount(amount, job.order.currency)
  return minor.ok ? ok({ amount: minor.value, description }) : invalidField('amount', minor.error)
}
