import { env } from 'cloudflare:workers'
import { callWorker } from '../security/call-worker.ts'
import { ORIGIN, send } from './hub.ts'

let addresses = 0

/**
 * Each request comes from an address of its own: wrong tokens are counted by address, of all tests
 * together.
 */
export function nextAddress(): string {
  return `198.19.${(++addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * Asks the operator API as the CLI does: its POST without a body has an empty one when it arrives.
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

/** What the operator API answers, whatever its status. */
export async function answerTo<Answer>(...asked: Parameters<typeof operate>): Promise<Answer> {
  return (await operate(...asked)).json()
}

/** Asks the operator API of a hub with other bindings, without the runtime between. */
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

/** Makes an operator token of a role, under a name of its own. */
export async function makeOperatorToken(role: string): Promise<{ id: string; name: string; token: string }> {
  const response = await operate('POST', '/tokens', { name: `Test ${crypto.randomUUID()}`, role })
  return response.json()
}
