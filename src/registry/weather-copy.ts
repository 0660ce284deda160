import * as v from 'valibot'
import { storedShape } from '../platform/stored.ts'
import { WeatherChange } from '../job/rules/weather-change.ts'
import { recentWeather, rememberWeather } from '../job-index/weather.ts'
import { readJson } from './read-json.ts'

const NAME = 'weather'

export const weatherCopy = storedShape(v.object({ changes: v.array(WeatherChange) }))

/** What places have told of accounts lately. A copy that cannot be read tells nothing: it is a hint. */
export async function readWeatherCopy(kv: KVNamespace): Promise<readonly WeatherChange[]> {
  const read = weatherCopy.read(await readJson(kv, NAME))
  return read.ok ? read.value.changes : []
}

/** Remembers what places have told, and writes the copy that all places read: one write for all of a batch. */
export async function publishWeather(env: Env, changes: readonly WeatherChange[]): Promise<void> {
  await rememberWeather(env.DB, changes)
  const recent = await recentWeather(env.DB, Date.now())
  await env.TOKENS.put(NAME, JSON.stringify(weatherCopy.write({ changes: recent })))
}
