import { json } from '../platform/http/respond.ts'
import { weatherReport } from '../weather-report/serve.ts'
import { weatherMethodOf } from '../job/carriers.ts'
import type { Weather } from './contract/weather.ts'
import type { OperatorHandler } from './permission.ts'

/** `GET /operator/v1/weather`: how each account has taken orders in the last 24 hours, by payment method. */
export const showWeather: OperatorHandler<object> = async (_, { env }) => {
  const { from, to, accounts } = await weatherReport(env, Date.now(), weatherMethodOf)
  return json({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    accounts: accounts.map(({ lastTaken: _taken, ...account }) => account),
  } satisfies Weather)
}
