import { sha256 } from '../platform/crypto/hash.ts'
import type { Job } from '../job/rules/job.ts'
import { parseAmount } from '../contract/money.ts'
import { representRefund } from '../job/rules/refund-representation.ts'
import { describeRefund } from '../job/rules/refund-request.ts'
import { ok, refuse, type Result } from '../contract/result.ts'
import { invalidField } from '../platform/http/invalid.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { readJob } from '../job/call-job.ts'
import { cancelPayment } from '../job/cancel-payment.ts'
import { refundPayment } from '../job/refund-payment.ts'
import { cancelRefused, refundRefused } from '../job/refund-refusals.ts'
import { syncWithPsp } from '../job/sync-with-psp.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { representForOperator, noJob, statusOf } from './jobs.ts'

/** `POST /operator/v1/jobs/{id}/refunds`: gives money back. The same `id` again is the same refund. */
export const refundJob: OperatorHandler<'refundJob'> = async ({ env, params, body }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const amount = amountOf(body.amount, job)
  if (!amount.ok) return amount
  const wanted = { amount: amount.value, description: body.description ?? describeRefund(job) }
  const fingerprint = await sha256(JSON.stringify(wanted))
  const refunded = await refundPayment(env, job.id, { ...wanted, id: body.id, fingerprint })
  if (refunded === null) return noJob
  if (!refunded.ok) return refuse(refundRefused(refunded.error, job))
  const refund = representRefund(refunded.value.job, refunded.value.refund)
  return changed(refund, {
    subject: job.id,
    before: statusOf(job),
    after: {
      ...statusOf(refunded.value.job),
      refund: refund.refund,
      refunded: refund.amount,
      refundStatus: refund.status,
    },
  })
}

function amountOf(text: string | undefined, { order }: Job): Result<number | null, Refusal> {
  if (text === undefined) return ok(null)
  const amount = parseAmount(text, order.currency)
  if (!amount.ok) return invalidField('amount', amount.error)
  return amount.value === 0 ? invalidField('amount', 'must be more than zero') : amount
}

/** `POST /operator/v1/jobs/{id}/cancel`: stops what the customer can still pay. */
export const cancelJob: OperatorHandler<'cancelJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const cancelled = before && (await cancelPayment(env, before.id, 'operator'))
  if (!cancelled) return noJob
  return cancelled.ok ? changedJob(env, before, cancelled.value) : refuse(cancelRefused(cancelled.error))
}

/** `POST /operator/v1/jobs/{id}/pull`: asks the PSP how the payment stands, whatever the job's schedule. */
export const pullJob: OperatorHandler<'pullJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const synced = before && (await syncWithPsp(env, before.id, { reason: 'look' }))
  if (!synced) return noJob
  return synced.isAnswered
    ? changedJob(env, before, synced.job)
    : refuse({
        code: 'psp-unavailable',
        detail: 'The payment service provider does not answer. Try again.',
        retryAfter: 10,
      })
}

async function changedJob(env: Env, before: Job, job: Job) {
  return changed(await representForOperator(env, job), {
    subject: job.id,
    before: statusOf(before),
    after: statusOf(job),
  })
}
