import type { StoredShape } from './stored.ts'
import { log } from './log.ts'
import { inRequest } from './request-context.ts'

/** Seconds until the hub retries a message of a later release, which may be deployed again by then. */
const UNTIL_UPGRADE = 3600

/** Reads a message. Null for one that it cannot read: it retries one of a later release, and acknowledges a broken one. */
export function readMessage<Value>(queue: string, shape: StoredShape<Value>, message: Message): Value | null {
  const read = shape.read(message.body)
  if (read.ok) return read.value
  log.error('queue.message-unreadable', { queue, message: message.id, detail: read.error.detail })
  if (read.error.is === 'newer') message.retry({ delaySeconds: UNTIL_UPGRADE })
  else message.ack()
  return null
}

/** Handles the messages of a batch in parallel, and acknowledges or retries each by itself. */
export async function eachMessage<Value>(
  batch: MessageBatch,
  shape: StoredShape<Value>,
  handle: (message: Value) => Promise<void>,
): Promise<void> {
  const { queue, messages } = batch
  const handleOne = async (message: Message): Promise<void> => {
    const body = readMessage(queue, shape, message)
    if (body === null) return
    try {
      await handle(body)
      message.ack()
    } catch (error) {
      log.fault('queue.message-failed', error, { queue, message: message.id })
      message.retry()
    }
  }
  await Promise.all(messages.map((message) => inRequest(() => handleOne(message))))
}

/** How many messages a queue takes at once. */
const BATCH = 100

/** Sends any number of messages. Tries all, then throws the first error. */
export async function sendAll<Body>(queue: Queue<Body>, messages: MessageSendRequest<Body>[]): Promise<void> {
  const batches = Math.ceil(messages.length / BATCH)
  await allOf(
    Array.from({ length: batches }, (_, at) => queue.sendBatch(messages.slice(at * BATCH, (at + 1) * BATCH))),
  )
}

/** Waits for all, then throws the first error: the platform may cut off promises that nothing awaits. */
export async function allOf(all: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(all)) if (outcome.status === 'rejected') throw outcome.reason
}
