import { sha256 } from '../platform/crypto/hash.ts'
import { representRefund } from '../job/rules/refund-representation.ts'
import { refuse } from '../contract/result.ts'
import { reply } from '../platform/http/operations.ts'
import { refundPayment } from '../job/refund-payment.ts'
import { refundRefused } from '../job/refund-refusals.ts'
import type { PosHandler } from './handler.ts'
import { idempotencyKeyOf, refundIdOf } from './idempotency.ts'
import { noJob, ownJob } from './own-job.ts'
import { readRefund } from './refund-body.ts'

/** `POST /v2/paymentjobs/{id}/refunds`: gives money back, the whole rest where no amount is named. */
export const createRefund: PosHandler<'createRefund'> = async ({ request, env, params, body }, profile) => {
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const wanted = readRefund(body, job)
  if (!wanted.ok) return wanted
  const [id, fingerprint] = await Promise.all([
    key.value === null ? crypto.randomUUID() : refundIdOf(env, job.id, key.value),
    sha256(JSON.stringify(wanted.value)),
  ])
  const refunded = await refundPayment(env, job.id, { ...wanted.value, id, fingerprint })
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
  const refunds = (job.moneyBack?.refunds ?? []).map((refund) => representRefund(job, refund))
  return reply({ refunds })
}
