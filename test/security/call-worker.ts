import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'

/** Hands a request to the Worker without the runtime between, which reads ahead, and prints each body that breaks off. */
export const callWorker = (request: Request, bindings: Env = env): Response | Promise<Response> =>
  worker.fetch(request as Parameters<typeof worker.fetch>[0], bindings)
