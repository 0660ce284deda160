import { env } from 'cloudflare:workers'
import { openSandbox } from '../../src/psp/sandbox/adapter.ts'
import { type Payment, openPayment } from '../../src/psp/sandbox/payment.ts'
import { representPayment } from '../../src/sandbox/test-api.ts'
import { ORIGIN, location, send } from '../support/hub.ts'

/** Of a job that the hub does not have: notifications of it are accepted, and do nothing. */
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

/** The sandbox as the hub asks it. */
export const sandbox = openSandbox(env, ORIGIN)

/** Makes a payment, the usual one but for `changes`. */
export async function make(changes: Partial<Pick<Payment, 'locale' | 'description' | 'capture'>> = {}) {
  const id = `tr_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  await objectOf(id).create(openPayment({ ...newPayment, ...changes, id }, Date.now()))
  return { id }
}

/** A payment as its test sees it. */
export async function get(id: string) {
  const payment = await objectOf(id).read()
  if (!payment) throw new Error(`there is no payment ${id}`)
  return representPayment(payment)
}

export function checkoutOf(id: string): string {
  return `${ORIGIN}/sandbox/checkout/${id}`
}

/** The reference of the payment that a `payUrl` leads to. */
export async function referenceOf(payUrl: string): Promise<string> {
  const checkout = location(await send(payUrl))
  return checkout.slice(checkout.lastIndexOf('/') + 1)
}

/** Lets something happen to a payment. */
export function act(id: string, action: string, body?: unknown): Promise<Response> {
  return send(`/sandbox/payments/${id}/${action}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/** Presses a button of the checkout page. */
export function choose(id: string, outcome: string): Promise<Response> {
  return send(checkoutOf(id), { method: 'POST', body: new URLSearchParams({ outcome }) })
}

/** The object that holds a payment. */
export function objectOf(id: string) {
  return env.SANDBOX_PAYMENT.getByName(id)
}
