import { MOST_SECONDS } from '../contract/advance.ts'
import { callJob } from '../job/call-job.ts'
import type { State } from '../job/core/state.ts'
import { represent } from '../job/core/show.ts'
import { invalidField } from '../platform/http/invalid.ts'
import { reply } from '../platform/http/operations.ts'
import { refuse } from '../contract/result.ts'
import type { PosHandler } from './handler.ts'
import { noJob, ownJob } from './retrieve-payment-job.ts'

/** How long (ms) the answer waits for what comes due; what is left then goes on after it. */
const PATIENCE = 15_000
/** How often (ms) the handler looks whether all is done. */
const LOOK_EVERY = 100

/** `POST /v2/paymentjobs/{id}/advance`: lets time pass for a job in test mode. */
export const advancePaymentJob: PosHandler<'advancePaymentJob'> = async ({ env, params, body }, profile) => {
  if (profile.mode === 'live') return testModeOnly
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  const offset = Math.max(job.clock.wanted, job.clock.offset) + body.seconds * 1000
  if (offset > MOST_SECONDS * 1000) return tooFar
  const advanced = await passed(
    env,
    await callJob(env, job.id, (stub) => stub.tell({ do: 'let-time-pass', to: offset })),
  )
  return advanced ? reply(represent(advanced)) : noJob
}

/** The job once its clock has come where it is to be, or as it stands when patience ends. */
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

const tooFar = invalidField('seconds', 'is too many: all together, 400 days may pass')
