import type { JobClock } from '../../job/rules/job-clock.ts'
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

/** As `fetch` does: waits no longer than until the signal aborts, and then throws its reason. */
async function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([answer, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
