import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'
import { ProfileRefreshMessage, refreshProfile } from '../storage/kv/refresh-profile.ts'

/** The `edge` queue: each message is a second look at the copies of one point of sale. */
export const consumeProfileRefreshes = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) {
    const parsed = v.safeParse(ProfileRefreshMessage, message.body)
    try {
      if (parsed.success) await refreshProfile(env, parsed.output.pos)
      else console.error({ event: 'edge.message-unreadable', message: message.id })
      message.ack()
    } catch (error) {
      console.error({ event: 'edge.not-refreshed', error: describeFault(error) })
      message.retry()
    }
  }
}
