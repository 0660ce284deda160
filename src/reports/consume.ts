import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'
import type { DeliveryOutcome } from '../domain/reporting.ts'
import { withJob } from '../payment-job/jobs.ts'
import { profileOf } from '../tokens/profiles.ts'
import { deliver } from './deliver.ts'

const ReportMessage = v.object({ job: v.string(), revision: v.number() })

/** The `reports` queue: each message is one try at one report. The job says what is next; the queue only carries. */
export const consumeReports = (batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> =>
  each(batch, ctx, async (message) => {
    const { job: id, revision } = message
    const job = await withJob(env, id, (stub) => stub.wanted(revision))
    if (!job) return
    const profile = await profileOf(env, job.pos)
    const outcome: DeliveryOutcome = profile
      ? await deliver(env, job, revision, profile)
      : { is: 'stopped', outcome: 'point of sale unknown' }
    if (outcome.is !== 'delivered') {
      console.warn({ event: 'report.failed', job: id, revision, outcome: outcome.outcome })
    }
    await withJob(env, id, (stub) => stub.reported(revision, outcome))
  })

/** The dead letter queue: what our own faults kept from being tried is marked on the job, and tried by its schedule. */
export const consumeDeadReports = (batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> =>
  each(batch, ctx, async ({ job: id, revision }) => {
    console.error({ event: 'report.dead-letter', job: id, revision })
    const outcome = { is: 'failed', outcome: 'not tried: fault of the hub', retryAfter: null } as const
    await withJob(env, id, (stub) => stub.reported(revision, outcome))
  })

type ReportMessage = v.InferOutput<typeof ReportMessage>

/** How long (ms) a batch waits for its slowest message, with the next batch waiting behind it. */
const PATIENCE = 500

/**
 * Handles the messages side by side, each acknowledged or retried by itself. One that takes long is acknowledged and
 * finished out of band, so that a slow receiver holds up nobody: should that be cut off, the job still owes its report
 * and sends it again. One that cannot be read is dropped.
 */
const each = async (
  batch: MessageBatch,
  ctx: ExecutionContext,
  handle: (message: ReportMessage) => Promise<void>,
): Promise<void> => {
  const patience = new Promise<'slow'>((resolve) => setTimeout(resolve, PATIENCE, 'slow'))
  await Promise.all(
    batch.messages.map(async (message) => {
      const work = handled(message, handle)
      ctx.waitUntil(work)
      const outcome = await Promise.race([work, patience])
      if (outcome === 'failed') message.retry()
      else message.ack()
    }),
  )
}

const handled = async (
  { id, body }: Message,
  handle: (message: ReportMessage) => Promise<void>,
): Promise<'done' | 'failed'> => {
  const parsed = v.safeParse(ReportMessage, body)
  try {
    if (parsed.success) await handle(parsed.output)
    else console.error({ event: 'report.message-unreadable', message: id })
    return 'done'
  } catch (error) {
    console.error({ event: 'report.not-tried', message: id, error: describeFault(error) })
    return 'failed'
  }
}
