import { exports } from 'cloudflare:workers'
import { reportMessage } from '../job/messages.ts'
import { log } from '../platform/log.ts'
import { eachMessage } from '../platform/read-message.ts'

/**
 * The `reports` queue: each message is one try at one report. The job says what is next; the queue
 * only carries.
 */
export function consumeReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, async (message) => {
    const attempted = await exports.ReportDelivery.attempt(message)
    if (attempted === 'failed') throw new Error('the report could not be tried')
  })
}

/**
 * The dead letter queue: the hub itself failed to try these reports. Their jobs still owe them, and
 * send them again.
 */
export function consumeDeadReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, ({ job, revision }) => {
    log.error('report.dead-letter', { job, revision })
    return Promise.resolve()
  })
}
