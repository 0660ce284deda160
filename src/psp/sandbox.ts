import { exports } from 'cloudflare:workers'
import { toHex } from '../crypto/bytes.ts'
import { hmac } from '../crypto/hmac.ts'
import type { JobClock } from '../domain/job-clock.ts'
import type { Connection } from './port.ts'

const API_PATH = '/sandbox/v2'
/** The header in which the sandbox is told the clock of the job that a payment is for. */
export const CLOCK_HEADER = 'x-test-clock'

/** The one API key of the embedded sandbox, in the form of a Mollie test key; derived, so that nobody has to set it. */
export const sandboxApiKey = async (env: Env): Promise<string> =>
  `test_${toHex(await hmac('SHA-256', env.SIGNING_ROOT, 'sandbox-api-key')).slice(0, 32)}`

/**
 * The Mollie adapter's way to the sandbox of the hub at `origin`. A Worker cannot reach itself by name: the requests go
 * over its own export.
 */
export const sandboxConnection = async (
  env: Env,
  origin: string,
  clock?: JobClock,
): Promise<Connection<{ apiKey: string }>> => ({
  fetch: (request) => {
    if (clock) request.headers.set(CLOCK_HEADER, JSON.stringify(clock))
    return exports.default.fetch(request)
  },
  mode: 'test',
  credentials: { apiKey: await sandboxApiKey(env) },
  endpoint: origin + API_PATH,
})
