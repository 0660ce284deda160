import { toHex } from '../crypto/bytes.ts'
import { hmac } from '../crypto/hmac.ts'
import type { JobClock } from '../domain/job-clock.ts'
import { loadSandbox } from '../modules/load.ts'
import type { Connection } from './port.ts'

const API_PATH = '/sandbox/v2'
/** The header in which the sandbox is told the clock of the job that a payment is for. */
export const CLOCK_HEADER = 'x-test-clock'

/** The key that this isolate has derived last, and from what. */
let derived = { root: '', key: '' }

/** The one API key of the embedded sandbox, in the form of a Mollie test key; derived, so that nobody has to set it. */
export const sandboxApiKey = async ({ SIGNING_ROOT: root }: Env): Promise<string> => {
  if (derived.root !== root) {
    const key = `test_${toHex(await hmac('SHA-256', root, 'sandbox-api-key')).slice(0, 32)}`
    derived = { root, key }
  }
  return derived.key
}

/**
 * The Mollie adapter's way to the sandbox of the hub at `origin`. A Worker cannot reach itself by name, so the sandbox is called
 * as the function that it is.
 */
export const sandboxConnection = async (
  env: Env,
  origin: string,
  clock?: JobClock,
): Promise<Connection<{ apiKey: string }>> => ({
  fetch: async (request) => {
    if (clock) request.headers.set(CLOCK_HEADER, JSON.stringify(clock))
    const { sandbox } = await loadSandbox()
    return unlessAborted(request.signal, sandbox(request, env))
  },
  mode: 'test',
  credentials: { apiKey: await sandboxApiKey(env) },
  endpoint: origin + API_PATH,
})

/** As `fetch` does: waits no longer than until the signal aborts, and then throws its reason. */
const unlessAborted = async <T>(signal: AbortSignal, answer: Promise<T>): Promise<T> => {
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
