import type { PaymentRequest } from '../../../src/psp/port.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { type Session, chargeJson, intentJson, sessionJson } from '../../support/psps/stripe-objects.ts'
import { type Answer, type Answers, announcedBody, json, openScripted, paymentRequest } from '../scripted.ts'

/** Joined here, so that no text in this project looks like a key of Stripe. */
export const SECRET_KEY = ['sk', 'test', '51HubDouble0000000000000'].join('_')
export const WEBHOOK_SECRET = ['whsec', 'hubDouble000000000000000'].join('_')

const HELD: Session = {
  id: 'cs_test_a1YS1URlnyQCN5fUUduO',
  intent: 'pi_3Mtw',
  form: new Map([
    ['mode', 'payment'],
    ['client_reference_id', paymentRequest.job],
    ['line_items[0][price_data][currency]', 'eur'],
    ['line_items[0][price_data][unit_amount]', '1250'],
    ['line_items[0][quantity]', '1'],
    ['expires_at', '1795256100'],
  ]),
  created: 1_795_252_500,
  status: 'open',
  money: 'none',
  refunds: [],
  disputes: [],
}

/** The session as Stripe shows it, with changes. */
export function session(changes: object = {}): Record<string, unknown> {
  return {
    ...sessionJson(HELD),
    ...changes,
  }
}

/** The payment intent, expanded, with its charge if there is one. */
export function intent(status: string, latest_charge: object | string | null = null) {
  return {
    ...intentJson(HELD),
    status,
    latest_charge,
  }
}

/** The charge that took the money, with its refunds, and with changes. */
export function charge(changes: object = {}) {
  return { ...chargeJson({ ...HELD, money: 'paid' }, true), ...changes }
}

/** An error as Stripe sends it: https://docs.stripe.com/api/errors */
export function stripeError(status: number, message: string, more: object = {}): Answer {
  return json(status, { error: { type: 'invalid_request_error', message, ...more } })
}

export function atStripe(...answers: Answers) {
  const credentials = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET }
  return openScripted(stripe, { mode: 'test', credentials }, answers)
}

/** What the adapter sends for a payment request, as Stripe would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, string>> {
  const body = await announcedBody(atStripe(json(200, session())), changes)
  return Object.fromEntries(new URLSearchParams(body))
}
