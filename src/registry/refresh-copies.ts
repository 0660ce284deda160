import { copyMessage } from '../job/rules/messages.ts'
import type { WeatherChange } from '../job/rules/weather-change.ts'
import { publishWeather } from '../weather-report/serve.ts'
import { refreshCopy } from './publish-after.ts'
import { eachMessage } from '../platform/read-message.ts'

/**
 * The `copies` queue: each message is a second look at one copy in KV, or tells of the weather at an account. What a batch tells of the
 * weather is one write: KV takes one a second.
 */
export function consumeCopies(batch: MessageBatch, env: Env): Promise<void> {
  const changes: WeatherChange[] = []
  let published: Promise<void> | undefined
  // All messages of the batch have said theirs before the first of them goes on.
  const publish = async (change: WeatherChange): Promise<void> => {
    changes.push(change)
    await (published ??= publishWeather(env, changes))
  }
  return eachMessage(batch, copyMessage, (message) =>
    message.weather ? publish(message.weather) : refreshCopy(env, message),
  )
}
