import { env } from 'cloudflare:workers'
import { sandboxApiKey } from '../../src/psp/sandbox/access.ts'
import { ORIGIN, send } from '../support/hub.ts'

/** No webhook: a test that wants notifications says where to, and plays that address. */
export const newPayment = {
  amount: { currency: 'EUR', value: '12.50' },
  description: 'A-7',
  redirectUrl: 'https://shop.nl/thanks?order=7',
  cancelUrl: 'https://shop.nl/cancelled',
  method: 'ideal',
  locale: 'nl_NL',
  metadata: { order: 7 },
}

export type PaymentJson = {
  id: string
  status: string
  _links: { self: { href: string }; checkout?: { href: string } }
  [field: string]: unknown
}

/** Asks the sandbox's API as a caller with the right key does. */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(`/sandbox/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await sandboxApiKey(env)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Makes a payment, the usual one but for `changes`. */
export async function make(changes: object = {}, headers: Record<string, string> = {}): Promise<PaymentJson> {
  return (await ask('POST', '/payments', { ...newPayment, ...changes }, headers)).json()
}

export async function get(id: string): Promise<PaymentJson> {
  return (await ask('GET', `/payments/${id}`)).json()
}

export function checkoutOf(id: string): string {
  return `${ORIGIN}/sandbox/checkout/${id}`
}

/** Presses a button of the checkout page. */
export function choose(id: string, outcome: string): Promise<Response> {
  return send(checkoutOf(id), { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** The object that holds a payment. */
export function objectOf(id: string) {
  return env.SANDBOX_PAYMENT.getByName(id)
}
