import { sha256 } from '../platform/crypto/hash.ts'
import { representRefund } from '../job/rules/refund-representation.ts'
import { refuse } from '../platform/result.ts'
import { readOptionalJsonObject } from '../platform/http/body.ts'
import { countRequest } from '../platform/http/rate-limit.ts'
import { refundPayment } from '../job/refund-payment.ts'
import { refundRefused } from '../job/refund-refusals.ts'
import type { PosHandler } from './authenticate.ts'
import type { Refund, RefundList } from './contract/refund.ts'
import { idempotencyKeyOf, refundIdOf } from './idempotency.ts'
import { noJob, ownJob } from './own-job.ts'
import { QUOTAS } from './quotas.ts'
import { keepRefundDigits, readRefund } from './refund-body.ts'
import { signedJson } from './signed.ts'

/** `POST /v2/paymentjobs/{id}/refunds`: gives money back, the whole rest where no amount is named. */
export const createRefund: PosHandler<{ id: string }> = async (request, { env, params }, profile) => {
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const [limit, body, job] = await Promise.all([
    countRequest(env.CREATE_PER_POS, QUOTAS.createPerPos, profile.pos),
    readOptionalJsonObject(request, keepRefundDigits),
    ownJob(env, params.id, profile),
  ])
  if (!limit.ok) return limit
  if (!body.ok) return body
  if (!job) return noJob
  const wanted = readRefund(body.value, job)
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
  return signedJson(env, profile, 201, representRefund(refunded.value.job, refund) satisfies Refund)
}

/** `GET /v2/paymentjobs/{id}/refunds`: the refunds that were asked for here, the oldest first. */
export const listRefunds: PosHandler<{ id: string }> = async (_, { env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const refunds = (job.moneyBack?.refunds ?? []).map((refund) => representRefund(job, refund))
  return signedJson(env, profile, 200, { refunds } satisfies RefundList)
}
