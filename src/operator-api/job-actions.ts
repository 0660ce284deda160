import * as v from 'valibot'
import { sha256 } from '../crypto/hash.ts'
import { parseJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { parseAmount } from '../domain/money.ts'
import { representRefund } from '../domain/refund-representation.ts'
import { describeRefund } from '../domain/refund-request.ts'
import { type Result, ok, refuse } from '../domain/result.ts'
import { readJsonObject } from '../http/body.ts'
import { invalid, invalidField } from '../http/invalid.ts'
import type { Refusal } from '../http/refusal.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { readJob } from '../payment-job/call-job.ts'
import { cancelPayment } from '../payment-job/cancel-payment.ts'
import { refundPayment } from '../payment-job/refund-payment.ts'
import { cancelRefused, refundRefused } from '../payment-job/refund-refusals.ts'
import { syncWithPsp } from '../payment-job/sync-with-psp.ts'
import type { JobRefund } from './contract/jobs.ts'
import { representForOperator } from './job-detail.ts'
import { noJob } from './jobs.ts'
import { NewRefund } from './requests.ts'

/** `POST /operator/v1/jobs/{id}/refunds`: gives money back. The same `id` again is the same refund. */
export const refundJob: Handler<{ id: string }> = async (request, { env, params }) => {
  const [job, body] = await Promise.all([readJob(env, params.id), readJsonObject(request)])
  if (!job) return noJob
  if (!body.ok) return body
  const parsed = v.safeParse(NewRefund, body.value)
  if (!parsed.success) return invalid(parsed.issues)
  const amount = amountOf(parsed.output.amount, job)
  if (!amount.ok) return amount
  const wanted = { amount: amount.value, description: parsed.output.description ?? describeRefund(job) }
  const fingerprint = await sha256(JSON.stringify(wanted))
  const refunded = await refundPayment(env, job.id, { ...wanted, id: parsed.output.id, fingerprint })
  if (refunded === null) return noJob
  if (!refunded.ok) return refuse(refundRefused(refunded.error, job))
  return json(representRefund(refunded.value.job, refunded.value.refund) satisfies JobRefund)
}

const amountOf = (text: string | undefined, { order }: Job): Result<number | null, Refusal> => {
  if (text === undefined) return ok(null)
  const amount = parseAmount(text, order.currency)
  if (!amount.ok) return invalidField('amount', amount.error)
  return amount.value === 0 ? invalidField('amount', 'must be more than zero') : amount
}

/** `POST /operator/v1/jobs/{id}/cancel`: stops what the customer can still pay. */
export const cancelJob: Handler<{ id: string }> = async (_, { env, params }) => {
  const id = parseJobId(params.id)
  const cancelled = id === null ? null : await cancelPayment(env, id, 'operator')
  if (cancelled === null) return noJob
  return cancelled.ok
    ? json(await representForOperator(env, cancelled.value))
    : refuse(cancelRefused(cancelled.error))
}

/** `POST /operator/v1/jobs/{id}/pull`: asks the PSP how the payment stands, whatever the job's schedule. */
export const pullJob: Handler<{ id: string }> = async (_, { env, params }) => {
  const id = parseJobId(params.id)
  const synced = id === null ? null : await syncWithPsp(env, id, { reason: 'look' })
  if (synced === null) return noJob
  return synced.isAnswered
    ? json(await representForOperator(env, synced.job))
    : refuse({
        code: 'psp-unavailable',
        detail: 'The payment service provider does not answer. Try again.',
        retryAfter: 10,
      })
}
