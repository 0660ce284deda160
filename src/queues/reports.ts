import { exports } from 'cloudflare:workers'
import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'
import { callJob } from '../payment-job/call-job.ts'

const ReportMessage = v.object({ job: v.string(), revision: v.number() })
type ReportMessage = v.InferOutput<typeof ReportMessage>

/** The `reports` queue: each message is one try at one report. The job says what is next; the queue only carries. */
export const consumeReports = (batch: MessageBatch): Promise<void> =>
  each(batch, async (message) => {
    const attempted = await exports.ReportDelivery.attempt(message)
    if (attempted === 'failed') throw new Error('the report could not be tried')
  })

/** The dead letter queue: what our own faults kept from being tried is marked on the job, and tried by its schedule. */
export const consumeDeadReports = (batch: MessageBatch, env: Env): Promise<void> =>
  each(batch, async ({ job: id, revision }) => {
    console.error({ event: 'report.dead-letter', job: id, revision })
    const outcome = { is: 'failed', outcome: 'not tried: fault of the hub', retryAfter: null } as const
    await callJob(env, id, (stub) => stub.reported(revision, outcome))
  })

/** Handles the messages side by side, each acknowledged or retried by itself. One that cannot be read is dropped. */
const each = async (
  batch: MessageBatch,
  handle: (message: ReportMessage) => Promise<void>,
): Promise<void> => {
  await Promise.all(
    batch.messages.map(async (message) => {
      const parsed = v.safeParse(ReportMessage, message.body)
      try {
        if (parsed.success) await handle(parsed.output)
        else console.error({ event: 'report.message-unreadable', message: message.id })
        message.ack()
      } catch (error) {
        console.error({ event: 'report.not-handled', message: message.id, error: describeFault(error) })
        message.retry()
      }
    }),
  )
}
