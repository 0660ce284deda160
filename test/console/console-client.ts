import { serveConsole } from '../../src/console/serve.tsx'
import type { operatorApiDouble } from './operator-api-double.ts'

/** A browser's requests to the console, with a double as its operator API. */

export const ORIGIN = 'https://hub.shop-payments.com'
export const SEALING_KEY = 'the key that seals what is shown once'
type Double = ReturnType<typeof operatorApiDouble>

export function get(path: string, { ask }: Double, cookie = ''): Promise<Response> {
  return serveConsole(new Request(ORIGIN + path, { headers: { cookie } }), ask, SEALING_KEY)
}

export function post(
  path: string,
  { ask }: Double,
  form: Record<string, string> | [name: string, value: string][],
  headers: Record<string, string> = {},
) {
  return serveConsole(
    new Request(ORIGIN + path, {
      method: 'POST',
      headers: { origin: ORIGIN, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(form),
    }),
    ask,
    SEALING_KEY,
  )
}
