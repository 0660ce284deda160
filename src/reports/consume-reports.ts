import { exports } from 'cloudflare:workers'
import { reportMessage } from '../job/rules/messages.ts'
import { eachMessage } from '../platform/read-message.ts'

/** The `reports` queue: each message is one try at one report. The job says what is next; the queue only carries. */
export function consumeReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, async (message) => {
    const attempted = await exports.ReportDelivery.attempt(message)
    if (attempted === 'failed') throw new Error('the report could not be tried')
  })
}
