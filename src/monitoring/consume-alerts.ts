import { alertMessage } from './alert-rules.ts'
import { log } from '../platform/log.ts'
import { deliverAlert } from './deliver-alert.ts'
import { inRequest } from '../platform/request-context.ts'
import { readMessage } from '../platform/read-message.ts'

/** Longest pause (s) before a message is sent again. */
const LONGEST_DELAY = 3600

/** The `alerts` queue: each message is sent to the operator's receiver until that takes it, with growing pauses. */
export async function consumeAlerts(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(batch.messages.map((message) => inRequest(() => deliver(env, batch.queue, message))))
}

async function deliver(env: Env, queue: string, message: Message): Promise<void> {
  const body = readMessage(queue, alertMessage, message)
  if (body === null) return
  const { is, outcome } = await deliverAlert(env, body)
  if (is === 'delivered') return message.ack()
  log.warn('alert.not-delivered', { alert: body.alert, message: body.id, outcome })
  // A 410 wants no more of it, and an ALERT_URL that is none now was changed since.
  if (is === 'stopped') return message.ack()
  message.retry({ delaySeconds: Math.min(30 * 2 ** (message.attempts - 1), LONGEST_DELAY) })
}
