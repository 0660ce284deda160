import * as v from 'valibot'
import type { NewRefund } from '../contract/refund.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { refundJob } from '../job/call-job.ts'
import { refundRefused } from '../job/refund-refusals.ts'
import type { State } from '../job/core/state.ts'
import { describeRefund, representRefund } from '../job/core/show.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { invalidField } from '../platform/http/invalid.ts'
import { reply } from '../platform/http/operations.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import type { PosHandler } from './handler.ts'
import { idempotencyKeyOf, refundIdOf } from './idempotency.ts'
import { readSentAmount } from './order.ts'
import { noJob, ownJob } from './retrieve-payment-job.ts'

/** What is to go back of a job: an amount in minor units, null for all that is left. */
export function readRefund(
  { amount, description: given }: v.InferOutput<typeof NewRefund>,
  job: State,
): Result<{ amount: number | null; description: string }, Refusal> {
  const description = given ?? describeRefund(job)
  if (amount === undefined) return ok({ amount: null, description })
  const minor = readSentAmount(amount, job.order.currency)
  return minor.ok ? ok({ amount: minor.value, description }) : invalidField('amount', minor.error)
}

/**
 * `POST /v2/paymentjobs/{id}/refunds`: gives money back, the whole rest where no amount is named.
 */
export const createRefund: PosHandler<'createRefund'> = async ({ request, env, params, body }, profile) => {
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const wanted = readRefund(body, job)
  if (!wanted.ok) return wanted
  const [id, fingerprint] = await Promise.all([
    key.value === null ? crypto.randomUUID() : refundIdOf(job.id, key.value),
    sha256(JSON.stringify(wanted.value)),
  ])
  const refunded = await refundJob(env, job.id, {
    ...wanted.value,
    id,
    fingerprint,
    call: crypto.randomUUID(),
  })
  if (refunded === null) return noJob
  if (!refunded.ok) return refuse(refundRefused(refunded.error, job))
  const { refund } = refunded.value
  if (refund.state === 'failed')
    return refuse({ code: 'refund-refused', detail: refund.error ?? 'It failed.' })
  return reply(representRefund(refunded.value.job, refund))
}

/** `GET /v2/paymentjobs/{id}/refunds`: the refunds that were asked for here, the oldest first. */
export const listRefunds: PosHandler<'listRefunds'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const refunds = job.refunds.map((refund) => representRefund(job, refund))
  return reply({ refunds })
}
