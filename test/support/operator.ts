import { env } from 'cloudflare:workers'
import { send } from './hub.ts'

/** Asks the operator API as the CLI does. */
export const operate = (
  method: string,
  path: string,
  body?: unknown,
  token = env.OPERATOR_TOKEN,
): Promise<Response> =>
  send(`/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
