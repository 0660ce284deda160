import { exports } from 'cloudflare:workers'
import { callJob } from '../job/call-job.ts'
import { reportMessage } from '../job/rules/messages.ts'
import { log } from '../platform/log.ts'
import { eachMessage } from '../platform/read-message.ts'

/** The `reports` queue: each message is one try at one report. The job says what is next. */
export function consumeReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, async (message) => {
    const attempted = await exports.ReportDelivery.attempt(message)
    if (attempted === 'failed') throw new Error('the report could not be tried')
  })
}

/** Reports that the hub failed to try. The job records that, and tries again by its schedule. */
export function consumeDeadReports(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, reportMessage, async ({ job: id, revision }) => {
    const outcome = { is: 'failed', outcome: 'not tried: fault of the hub', retryAfter: null } as const
    const job = await callJob(env, id, (stub) => stub.reported(revision, outcome))
    log.error('report.dead-letter', { job: id, revision, pos: job?.pos })
  })
}
