import { loadWeatherReport } from '../modules/load.ts'
import { weatherMethodOf } from '../job/carriers.ts'
import type { OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/** `GET /operator/v1/weather`: how each account has taken orders in the last 24 hours, by payment method. */
export const showWeather: OperatorHandler<'showWeather'> = async ({ env }) => {
  const { weatherReport } = await loadWeatherReport()
  const { from, to, accounts } = await weatherReport(env, Date.now(), weatherMethodOf)
  return reply({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    accounts: accounts.map(({ lastTaken: _taken, ...account }) => account),
  })
}
