import { parseJobId } from '../contract/ids.ts'
import { parseAmount } from '../contract/money.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { askJob, callJob, cancelJob as cancelOne, readJob, refundJob as refundOne } from '../job/call-job.ts'
import type { Personal } from '../job/core/row.ts'
import { describeRefund, representRefund } from '../job/core/show.ts'
import type { State } from '../job/core/state.ts'
import { cancelRefused, refundRefused } from '../job/refund-refusals.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { auditStatus, noJob, representForOperator } from './jobs.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const refundJob: OperatorHandler<'refundJob'> = async ({ env, params, body }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const amount = amountOf(body.amount, job)
  if (!amount.ok) return amount
  const wanted = { amount: amount.value, description: body.description ?? describeRefund(job) }
  const fingerprint = await sha256(JSON.stringify(wanted))
  const refunded = await refundOne(env, job.id, {
    ...wanted,
    id: body.id,
    fingerprint,
    call: crypto.randomUUID(),
  })
  if (refunded === null) return noJob
  if (!refunded.ok) return refuse(refundRefused(refunded.error, job))
  const refund = representRefund(refunded.value.job, refunded.value.refund)
  return changed(refund, {
    subject: job.id,
    before: auditStatus(job),
    after: {
      ...auditStatus(refunded.value.job),
      refund: refund.refund,
      refunded: refund.amount,
      refundStatus: refund.status,
    },
  })
}

function amountOf(text: string | undefined, { order }: State): Result<number | null, Refusal> {
  if (text === undefined) return ok(null)
  const amount = parseAmount(text, order.currency)
  if (!amount.ok) return invalidField('amount', amount.error)
  return amount.value === 0 ? invalidField('amount', 'must be more than zero') : amount
}

export const cancelJob: OperatorHandler<'cancelJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const cancelled = before && (await cancelOne(env, before.id, 'operator'))
  if (!cancelled) return noJob
  return cancelled.ok ? changedJob(env, before, cancelled.value) : refuse(cancelRefused(cancelled.error))
}

export const pullJob: OperatorHandler<'pullJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const synced = before && (await askJob(env, before.id, 'look'))
  if (!synced) return noJob
  return synced.isAnswered
    ? changedJob(env, before, synced.job)
    : refuse({
        code: 'psp-unavailable',
        detail: 'The payment service provider does not answer. Try again.',
        retryAfter: 10,
      })
}

export const eraseJob: OperatorHandler<'eraseJob'> = async ({ env, params }) => {
  const id = parseJobId(params.id)
  const erased = id === null ? null : await callJob<boolean | null>(env, id, async (stub) => stub.erase())
  if (id === null || erased === null) return noJob
  return changed({ paymentJob: id, erased }, { subject: id, after: { erased } })
}

export const showPersonal: OperatorHandler<'showPersonal'> = async ({ env, params }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const personal = await callJob<Personal | null>(env, job.id, async (stub) => stub.personal())
  return changed({ paymentJob: job.id, ipAddress: personal?.ipAddress ?? null }, { subject: job.id })
}

async function changedJob(env: Env, before: State, job: State) {
  return changed(await representForOperator(env, job), {
    subject: job.id,
    before: auditStatus(before),
    after: auditStatus(job),
  })
}
