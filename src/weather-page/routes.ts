import { ok, refuse } from '../platform/result.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import { weatherPage as pageOfWeather } from '../weather-report/serve.ts'
import { weatherMethodOf } from '../job/carriers.ts'

/** The page as it was made last, and until when (ms) it is shown: anybody may ask, and making it reads D1. */
let made: { until: number; html: string; headers: Headers } | undefined

/** The page for everybody, where the operator has switched it on. */
const showWeather: Handler = async (_, { env, config }) => {
  if (!config.weatherPage)
    return refuse({ code: 'address-unknown', detail: 'There is nothing at this address.' })
  const now = Date.now()
  if (!made || now >= made.until) {
    const page = await pageOfWeather(env, now, weatherMethodOf)
    made = { until: now + MINUTE, html: await page.text(), headers: page.headers }
  }
  const { html, headers } = made
  const response = new Response(html, { headers })
  response.headers.set('cache-control', 'public, max-age=60')
  return ok(response)
}

/** How PSPs take payments, for everybody. */
export const weatherPage = routes((table) => table.get('/weather', showWeather))
