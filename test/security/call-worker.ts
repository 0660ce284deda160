import { env } from 'cloudflare:workers'
import worker from '../../src/index.ts'
import { documented } from '../support/openapi/documented.ts'

/** Calls the Worker directly: the runtime would print each body that breaks off. */
export async function callWorker(request: Request, bindings: Env = env): Promise<Response> {
  return documented(request, await worker.fetch(request as Parameters<typeof worker.fetch>[0], bindings))
}
