import { waitUntil } from 'cloudflare:workers'
import { copyMessage } from '../job/rules/messages.ts'
import { MINUTE } from '../contract/timestamp.ts'
import type { WeatherChange } from '../job/rules/weather-change.ts'
import { log } from '../platform/log.ts'
import { readWeatherCopy } from '../registry/weather-copy.ts'
import { type PlaceWeather, weather } from './place-weather.ts'

/** Messages that an isolate sends in a minute at most. */
const MOST_MESSAGES = 6
/** How long (ms) what other places told is not read again. */
const READ_EVERY = MINUTE / 2

/** How often something has happened within the last minute. */
function minute() {
  let times: number[] = []
  return {
    count: (now: number): number => (times = times.filter((time) => now - time < MINUTE)).length,
    add: (now: number): void => void times.push(now),
  }
}

/** Payments created here in a minute, from which on it is worth to know what other places saw: for fewer, reading costs more than it spares. */
const BUSY = 5

/** How a place tells others of its weather, and hears of theirs. */
export function gossipOf(place: PlaceWeather) {
  const sent = minute()
  let newest: readonly number[] = []
  let readAt = -Infinity

  return {
    /** Logs a change, and tells other places of it: they lose nothing but time if they never hear. */
    gossip: (env: Env, change: WeatherChange): void => {
      const { account, method, is } = change
      log.warn('weather.changed', { account, method, is })
      if (sent.count(change.at) >= MOST_MESSAGES) return
      sent.add(change.at)
      const sending = env.COPIES.send(copyMessage.write({ pos: '', weather: change }))
      waitUntil(
        sending.then(
          () => {},
          (error: unknown) => log.fault('queue.send-failed', error),
        ),
      )
    },

    /**
     * A payment is created here. Where there were some within a minute, what other places told is read, behind the payment's back: in a
     * quiet place it would be old by the next payment.
     */
    listen: (env: Env, now: number): void => {
      newest = [...newest.slice(1 - BUSY), now]
      const isBusy = newest.length === BUSY && now - (newest[0] ?? 0) < MINUTE
      if (!isBusy || now - readAt < READ_EVERY) return
      readAt = now
      const reading = readWeatherCopy(env.TOKENS).then((changes) => place.hear(changes, Date.now()))
      waitUntil(reading.catch((error: unknown) => log.fault('kv.read-failed', error)))
    },
  }
}

export const { gossip, listen } = gossipOf(weather)
