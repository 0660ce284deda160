import { env } from 'cloudflare:workers'
import { send } from './hub.ts'

let asked = 0

/**
 * Each request comes from an address of its own: wrong tokens are counted by address, of all tests
 * together.
 */
export function nextAddress(): string {
  return `198.19.${(++asked >> 8) & 255}.${asked & 255}`
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

/** Makes an operator token of a role, under a name of its own. */
export async function makeOperatorToken(role: string): Promise<{ id: string; name: string; token: string }> {
  const response = await operate('POST', '/tokens', { name: `Test ${crypto.randomUUID()}`, role })
  return response.json()
}
