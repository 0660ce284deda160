import type { JobClock } from '../../contract/advance.ts'
import { unlessAborted } from '../../platform/deadline.ts'
import { sandboxApi } from './routes.ts'
import { namedObject } from '../../platform/named-object.ts'
import type { Connection } from '../port.ts'
import { sandboxApiKey } from './access.ts'

const API_PATH = '/sandbox/v2'

/**
 * The Mollie adapter's way to the sandbox of the hub at `origin`. A Worker cannot reach itself by
 * name, so the sandbox is called as the function that it is.
 */
export async function sandboxConnection(env: Env, origin: string): Promise<Connection<{ apiKey: string }>> {
  return {
    fetch: (request) => unlessAborted(request.signal, sandboxApi(request, env)),
    mode: 'test',
    credentials: { apiKey: await sandboxApiKey(env) },
    endpoint: origin + API_PATH,
  }
}

/**
 * Moves a sandbox payment's clock, and lets happen what is due by then. Returns when (ms) the
 * payment next changes by itself; Infinity for never.
 */
export async function moveSandboxPayment(env: Env, reference: string, clock: JobClock): Promise<number> {
  return (await namedObject(env, env.SANDBOX_PAYMENT, reference).moveTo(clock)) ?? Infinity
}
