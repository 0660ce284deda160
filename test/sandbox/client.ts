import { env } from 'cloudflare:workers'
import { openSandbox } from '../../src/psp/sandbox/adapter.ts'
import { type Payment, openPayment } from '../../src/psp/sandbox/payment.ts'
import { representPayment } from '../../src/sandbox/test-api.ts'
import { ORIGIN, location, send } from '../support/hub/hub.ts'

/** The id of a job that the hub does not have. It accepts notifications about it, which do nothing. */
export const newPayment = {
  job: '0190b1f4-0000-4000-8000-000000000007',
  fingerprint: '',
  origin: ORIGIN,
  currency: 'EUR',
  amount: 1250,
  description: 'A-7',
  returnUrl: 'https://shop.nl/thanks?order=7',
  notificationUrl: `${ORIGIN}/notifications/sandbox/0190b1f4-0000-4000-8000-000000000007`,
  method: 'ideal',
  locale: 'nl_NL',
}

/** The sandbox as the hub uses it. */
export const sandbox = openSandbox(env, ORIGIN)

/** Creates the usual payment, with changes. */
export async function make(changes: Partial<Pick<Payment, 'locale' | 'description' | 'capture'>> = {}) {
  const id = `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  await objectOf(id).create(openPayment({ ...newPayment, ...changes, id }, Date.now()))
  return { id }
}

/** Returns a payment as its test sees it. */
export async function get(id: string) {
  const payment = await objectOf(id).read()
  if (!payment) throw new Error(`there is no payment ${id}`)
  return representPayment(payment)
}

export function checkoutOf(id: string): string {
  return `${ORIGIN}/sandbox/checkout/${id}`
}

/** Returns the reference of the payment to which a `payUrl` leads. */
export async function referenceOf(payUrl: string): Promise<string> {
  const checkout = location(await send(payUrl))
  return checkout.slice(checkout.lastIndexOf('/') + 1)
}

/** Changes a payment by one of its actions. */
export function act(id: string, action: string, body?: unknown): Promise<Response> {
  return send(`/sandbox/payments/${id}/${action}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Presses a button on the checkout page. */
export function choose(id: string, outcome: string): Promise<Response> {
  return send(checkoutOf(id), { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** Returns the object of a payment. */
export function objectOf(id: string) {
  return env.SANDBOX_PAYMENT.getByName(id)
}
