import type { JobClock } from '../../job/rules/job-clock.ts'
import { unlessAborted } from '../../platform/deadline.ts'
import { sandboxApi } from './routes.ts'
import type { Connection } from '../port.ts'
import { CLOCK_HEADER, sandboxApiKey } from './access.ts'

const API_PATH = '/sandbox/v2'

/**
 * The Mollie adapter's way to the sandbox of the hub at `origin`. A Worker cannot reach itself by name, so the sandbox is called
 * as the function that it is.
 */
export async function sandboxConnection(
  env: Env,
  origin: string,
  clock?: JobClock,
): Promise<Connection<{ apiKey: string }>> {
  return {
    fetch: async (request) => {
      if (clock) request.headers.set(CLOCK_HEADER, JSON.stringify(clock))
      return unlessAborted(request.signal, sandboxApi(request, env))
    },
    mode: 'test',
    credentials: { apiKey: await sandboxApiKey(env) },
    endpoint: origin + API_PATH,
  }
}
