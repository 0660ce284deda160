import type { Connection } from '../port.ts'
import { sandboxApiKey } from './api-key.ts'
import { sandboxDoor } from './door.ts'

export const SANDBOX_PSP = 'sandbox'
export const SANDBOX_API_PATH = '/sandbox/v2'

/** The Mollie adapter's way to the sandbox: the same requests, handed over within the Worker. */
export const connectSandbox = async (
  env: Env,
  endpoint: string,
): Promise<Connection<{ apiKey: string }>> => ({
  fetch: (request) => sandboxDoor(request, env),
  mode: 'test',
  credentials: { apiKey: await sandboxApiKey(env) },
  endpoint,
})
