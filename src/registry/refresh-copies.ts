import { profileRefreshMessage } from '../job/rules/messages.ts'
import { refreshCopy } from './publish-after.ts'
import { eachMessage } from '../platform/read-message.ts'

/** The `edge` queue: each message is a second look at one copy in KV. */
export function consumeProfileRefreshes(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, profileRefreshMessage, (message) => refreshCopy(env, message))
}
