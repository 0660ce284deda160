import { cancelJob, refundJob, callJob } from '../job/call-job.ts'
import { cancelRefused, refundRefused } from '../job/refund-refusals.ts'
import * as v from 'valibot'
import type { NewRefund } from '../contract/refund.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import type { State } from '../job/core/state.ts'
import { mayAdvance } from '../job/core/bounds.ts'
import { describeRefund, representRefund, represent } from '../job/core/show.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import type { PosHandler } from './handler.ts'
import { idempotencyKeyOf, refundIdOf } from './idempotency.ts'
import { readSentAmount } from '../contract/values.ts'
import { noJob, ownJob } from './read-payment-jobs.ts'
import { MOST_SECONDS } from '../contract/advance.ts'

/** Returns a refund's amount (minor units; null for all that is left) and description. */
export function readRefund(
  { amount, description: given }: v.InferOutput<typeof NewRefund>,
  job: State,
): Result<{ amount: number | null; description: string }, Refusal> {
  const description = given || describeRefund(job)
  if (amount === undefined) return ok({ amount: null, description })
  const minor = readSentAmount(amount, job.order.currency)
  return minor.ok ? ok({ amount: minor.value, description }) : invalidField('amount', minor.error)
}

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

export const listRefunds: PosHandler<'listRefunds'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const refunds = job.refunds.map((refund) => representRefund(job, refund))
  return reply({ refunds })
}

/** How long (ms) the answer waits for the job's clock. The job's work goes on after it. */
const PATIENCE = 15_000
const LOOK_EVERY = 100

export const advancePaymentJob: PosHandler<'advancePaymentJob'> = async ({ env, params, body }, profile) => {
  if (profile.mode === 'live') return testModeOnly
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const offset = Math.max(job.clock.wanted, job.clock.offset) + body.seconds * 1000
  if (offset > MOST_SECONDS * 1000) return tooFar
  if (!mayAdvance(job)) return advancedTooOften
  const advanced = await passed(
    env,
    await callJob(env, job.id, (stub) => stub.tell({ do: 'let-time-pass', to: offset })),
  )
  return advanced ? reply(represent(advanced)) : noJob
}

/** Returns the job once its clock shows the wanted time, or as it stands after PATIENCE. */
async function passed(env: Env, begun: State | null): Promise<State | null> {
  const end = Date.now() + PATIENCE
  let job = begun
  while (job && job.clock.wanted > job.clock.offset && Date.now() < end) {
    const { id } = job
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
    job = await callJob(env, id, (stub) => stub.read())
  }
  return job
}

const testModeOnly = refuse({
  code: 'test-mode-only',
  detail: 'Time can be let pass for jobs in test mode alone.',
})

const advancedTooOften = refuse({
  code: 'job-limit',
  detail: 'The clock of a payment job can be moved 40 times.',
})

const tooFar = invalidField('seconds', 'is too many: all together, 400 days may pass')

export const cancelPaymentJob: PosHandler<'cancelPaymentJob'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const cancelled = await cancelJob(env, job.id, 'shop')
  if (cancelled === null) return noJob
  return cancelled.ok ? reply(represent(cancelled.value)) : refuse(cancelRefused(cancelled.error))
}
