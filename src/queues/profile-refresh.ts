import { profileRefreshMessage } from '../domain/messages.ts'
import { refreshProfile } from '../storage/kv/refresh-profile.ts'
import { eachMessage } from './read-message.ts'

/** The `edge` queue: each message is a second look at the KV copies of one point of sale. */
export const consumeProfileRefreshes = (batch: MessageBatch, env: Env): Promise<void> =>
  eachMessage(batch, profileRefreshMessage, ({ pos }) => refreshProfile(env, pos))
