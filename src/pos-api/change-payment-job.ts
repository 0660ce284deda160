import { cancelJob, callJob } from '../job/call-job.ts'
import { requestAsSent } from '../job/instruct-job.ts'
import { cancelRefused } from '../job/refusals.ts'
import * as v from 'valibot'
import type { NewCapture } from '../contract/capture.ts'
import type { NewRefund } from '../contract/refund.ts'
import { type Result, refuse } from '../contract/result.ts'
import { type Instruction, ofKind } from '../job/core/payment.ts'
import type { State } from '../job/core/state.ts'
import { mayAdvance } from '../job/core/bounds.ts'
import {
  capturesOf,
  represent,
  representCapture,
  representRefund,
  representWholeRefund,
} from '../job/core/show.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import type { Context } from '../platform/http/routes.ts'
import type { PosHandler } from './handler.ts'
import type { Profile } from '../registry/profile.ts'
import { idempotencyKeyOf, instructionIdOf } from './idempotency.ts'
import { withinDayLimit } from './refund-limit.ts'
import { noJob, ownJob } from './read-payment-jobs.ts'
import { MOST_SECONDS } from '../contract/advance.ts'
import { mostOf } from '../job/core/money.ts'

type InstructionBody = v.InferOutput<typeof NewRefund> & Partial<v.InferOutput<typeof NewCapture>>
type Instructing = Pick<Context, 'env' | 'config'> & {
  request: Request
  params: { id: string }
  body: InstructionBody
}

/** Instructs the PSP of a job. The same Idempotency-Key again is the same instruction. */
async function instruct(
  kind: Instruction['kind'],
  asked: Instructing,
  profile: Profile,
): Promise<Result<{ job: State; done: Instruction | null }, Refusal>> {
  const { request, env, params, body } = asked
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const id = key.value === null ? crypto.randomUUID() : await instructionIdOf(kind, job.id, key.value)
  const make = async () => {
    const instructed = (await requestAsSent(env, job, kind, id, body)) ?? noJob
    if (!instructed.ok) return instructed
    const { done } = instructed.value
    return done?.state === 'failed'
      ? refuse({ code: `${kind}-refused` as const, detail: done.error ?? 'It failed.' })
      : instructed
  }
  return kind === 'refund' ? withinDayLimit(asked, profile, { job, id }, make) : make()
}

export const createRefund: PosHandler<'createRefund'> = async (asked, profile) => {
  const refunded = await instruct('refund', asked, profile)
  if (!refunded.ok) return refunded
  const { job, done } = refunded.value
  if (!done) return noJob
  const remaining = asked.body.amount === undefined ? mostOf(job, 'refund') : 0
  return reply(representWholeRefund(job, done, remaining))
}

export const createCapture: PosHandler<'createCapture'> = async (asked, profile) => {
  const captured = await instruct('capture', asked, profile)
  if (!captured.ok) return captured
  const { job, done } = captured.value
  return done ? reply(representCapture(job, done)) : noJob
}

export const releasePaymentJob: PosHandler<'releasePaymentJob'> = async (asked, profile) => {
  const released = await instruct('release', { ...asked, body: {} }, profile)
  return released.ok ? reply(represent(released.value.job)) : released
}

export const listRefunds: PosHandler<'listRefunds'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job ? reply({ refunds: ofKind(job, 'refund').map((refund) => representRefund(job, refund)) }) : noJob
}

export const listCaptures: PosHandler<'listCaptures'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job ? reply({ captures: capturesOf(job).map((capture) => representCapture(job, capture)) }) : noJob
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
  const told = await callJob(env, job.id, (stub) => stub.tell({ do: 'let-time-pass', to: offset }))
  const advanced = await passed(env, told)
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
  detail: 'Only the time of jobs in test mode can be advanced.',
})

const advancedTooOften = refuse({
  code: 'job-limit',
  detail: 'The clock of a payment job can be moved at most 40 times.',
})

const tooFar = invalidField('seconds', 'is too many: a job can be advanced by at most 400 days in all')

export const cancelPaymentJob: PosHandler<'cancelPaymentJob'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const cancelled = await cancelJob(env, job.id, 'shop')
  if (cancelled === null) return noJob
  return cancelled.ok ? reply(represent(cancelled.value)) : refuse(cancelRefused(cancelled.error))
}
