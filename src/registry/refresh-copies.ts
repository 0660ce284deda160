import { copyMessage } from '../job/rules/messages.ts'
import { refreshCopy } from './publish-after.ts'
import { eachMessage } from '../platform/read-message.ts'

/** The `copies` queue: each message is a second look at one copy in KV. */
export function consumeCopies(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, copyMessage, (message) => refreshCopy(env, message))
}
