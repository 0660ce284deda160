import { env } from 'cloudflare:workers'
import { callWorker } from '../../security/call-worker.ts'
import { ORIGIN, send } from './hub.ts'

let addresses = 0

/** A new address for each request, because all tests share the hub's count of wrong tokens per address. */
export function nextAddress(): string {
  return `198.19.${(++addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * Sends a request to the operator API. A POST without a body has an empty one, as the CLI's has on arrival.
 */
export function operate(
  method: string,
  path: string,
  body?: unknown,
  token = env.OPERATOR_TOKEN,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(`/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'cf-connecting-ip': nextAddress(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(body === undefined && method === 'POST' ? { body: '' } : {}),
  })
}

/** The operator API's answer, whatever its status. */
export async function answerTo<Answer>(...asked: Parameters<typeof operate>): Promise<Answer> {
  return (await operate(...asked)).json()
}

/** Sends a request to the operator API of a hub with other bindings, by calling the Worker directly. */
export function operateAt(
  bindings: Partial<Env>,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = { authorization: `Bearer ${env.OPERATOR_TOKEN}` },
): Promise<Response> {
  const request = new Request(`${ORIGIN}/operator/v1${path}`, {
    method,
    headers: {
      'cf-connecting-ip': nextAddress(),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return callWorker(request, { ...env, ...bindings })
}

/** Creates an operator token for a role, under a unique name. */
export async function makeOperatorToken(role: string): Promise<{ id: string; name: string; token: string }> {
  const response = await operate('POST', '/tokens', { name: `Test ${crypto.randomUUID()}`, role })
  return response.json()
}
