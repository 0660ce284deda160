import { createMessageBatch } from 'cloudflare:test'

/** A batch as the queue delivers it, and whether each message was acknowledged or retried. */
export function batchOf(bodies: readonly unknown[], queue = 'payment-hub-reports') {
  const batch = createMessageBatch(
    queue,
    bodies.map((body, place) => ({ id: String(place), timestamp: new Date(), attempts: 1, body })),
  )
  let acks = 0
  const retries: (QueueRetryOptions | undefined)[] = []
  for (const message of batch.messages) {
    message.ack = () => void acks++
    message.retry = (options) => void retries.push(options)
  }
  batch.ackAll = () => void (acks += bodies.length)
  return {
    batch,
    acked: () => acks,
    retried: () => retries.length,
    delays: () => retries.map((retry) => retry?.delaySeconds),
  }
}
