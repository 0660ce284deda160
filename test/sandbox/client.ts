import { env } from 'cloudflare:workers'
import { openSandbox } from '../../src/psp/sandbox/adapter.ts'
import { openPayment } from '../../src/psp/sandbox/payment.ts'
import { represent } from '../../src/sandbox/test-api.ts'
import { ORIGIN, send } from '../support/hub.ts'

/** No webhook: a test that wants notifications says where to, and plays that address. */
export const newPayment = {
  amount: { currency: 'EUR', value: '12.50' },
  description: 'A-7',
  redirectUrl: 'https://shop.nl/thanks?order=7',
  cancelUrl: 'https://shop.nl/cancelled',
  webhookUrl: null,
  method: 'ideal',
  locale: 'nl_NL',
}

/** The sandbox as the hub asks it. */
export const sandbox = openSandbox(env, ORIGIN)

/** Makes a payment, the usual one but for `changes`. */
export async function make(
  changes: Partial<Record<'cancelUrl' | 'locale' | 'webhookUrl', string | null>> & {
    description?: string
  } = {},
) {
  const id = `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const wanted = { ...newPayment, ...changes, id, origin: ORIGIN, fingerprint: '', metadata: 'null' }
  await objectOf(id).create(openPayment(wanted, Date.now()))
  return { id }
}

/** A payment as its test sees it. */
export async function get(id: string) {
  const payment = await objectOf(id).read()
  if (!payment) throw new Error(`there is no payment ${id}`)
  return represent(payment)
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
