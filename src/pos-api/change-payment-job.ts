import { cancelJob, callJob } from '../job/call-job.ts'
import { instruct as instructJob, shownCapture, shownRefund } from '../job/instruct-job.ts'
import { cancelRefused } from '../job/refusals.ts'
import * as v from 'valibot'
import type { NewCapture, NewRefund } from '../contract/instruction.ts'
import { refuse } from '../contract/result.ts'
import { type Instruction, ofKind } from '../job/core/payment.ts'
import type { State } from '../job/core/state.ts'
import { mayAdvance } from '../job/core/bounds.ts'
import { capturesOf, represent, representCapture, representRefund } from '../job/core/show.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import type { Context } from '../platform/http/routes.ts'
import type { PosHandler } from './handler.ts'
import type { Profile } from '../registry/profile.ts'
import { idempotencyKeyOf, instructionIdOf } from './idempotency.ts'
import { withinDayLimit } from './refund-limit.ts'
import { noJob, ownJob } from './read-payment-jobs.ts'
import { MOST_SECONDS } from '../contract/advance.ts'

type InstructionBody = v.InferOutput<typeof NewRefund> & Partial<v.InferOutput<typeof NewCapture>>
type Instructing = Pick<Context, 'env' | 'config'> & {
  request: Request
  params: { id: string }
  body: InstructionBody
}

/** Instructs the PSP of a job. The same Idempotency-Key again is the same instruction. */
async function instruct<Shown>(
  kind: Instruction['kind'],
  asked: Instructing,
  profile: Profile,
  show: Parameters<typeof instructJob<Shown>>[3],
) {
  const { request, env, params, body } = asked
  const key = idempotencyKeyOf(request)
  if (!key.ok) return key
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const id = key.value === null ? crypto.randomUUID() : await instructionIdOf(kind, job.id, key.value)
  const make = async () => {
    const instructed = (await instructJob(env, job, { kind, id, sent: body }, show)) ?? noJob
    if (!instructed.ok) return instructed
    const { done, shown } = instructed.value
    return done?.state === 'failed'
      ? refuse({ code: `${kind}-refused` as const, detail: done.error ?? 'It failed.' })
      : reply(shown)
  }
  return kind === 'refund' ? withinDayLimit(asked, profile, { job, id }, make) : make()
}

export const createRefund: PosHandler<'createRefund'> = (asked, profile) =>
  instruct('refund', asked, profile, shownRefund)

export const createCapture: PosHandler<'createCapture'> = (asked, profile) =>
  instruct('capture', asked, profile, shownCapture)

export const releasePaymentJob: PosHandler<'releasePaymentJob'> = (asked, profile) =>
  instruct('release', { ...asked, body: {} }, profile, represent)

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
