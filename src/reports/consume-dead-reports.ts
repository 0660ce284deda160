import { reportMessage } from '../job/rules/messages.ts'
import { log } from '../platform/log.ts'
import { callJob } from '../job/call-job.ts'
import { eachMessage } from '../platform/read-message.ts'

/** The dead letter queue: the hub itself failed to try these reports. The job records that, and tries again by its schedule. */
export function consumeDeadReports(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, reportMessage, async ({ job: id, revision }) => {
    const outcome = { is: 'failed', outcome: 'not tried: fault of the hub', retryAfter: null } as const
    const job = await callJob(env, id, (stub) => stub.reported(revision, outcome))
    log.error('report.dead-letter', { job: id, revision, pos: job?.pos })
  })
}
