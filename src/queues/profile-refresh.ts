import { profileRefreshMessage } from '../domain/messages.ts'
import { refreshCopy } from '../storage/kv/publish-after.ts'
import { eachMessage } from './read-message.ts'

/** The `edge` queue: each message is a second look at one copy in KV. */
export const consumeProfileRefreshes = (batch: MessageBatch, env: Env): Promise<void> =>
  eachMessage(batch, profileRefreshMessage, (copy) => refreshCopy(env, copy))
