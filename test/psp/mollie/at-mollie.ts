import { mollie } from '../../../src/psp/mollie/adapter.ts'
import type { PaymentRequest } from '../../../src/psp/port.ts'
import { mollieProblem, paymentJson } from '../../support/psps/mollie-payment.ts'
import { type Answer, type Answers, announcedBody, json, openScripted, paymentRequest } from '../scripted.ts'

export const API_KEY = 'test_0123456789abcdef'

/** The payment as Mollie shows it, with changes. */
export function payment(changes: object = {}): Record<string, unknown> {
  return {
    ...paymentJson({
      id: 'tr_7UhSN1zuXS',
      status: 'open',
      checkoutUrl: 'https://www.mollie.com/checkout/7UhSN1zuXS',
      expiresAt: Date.UTC(2026, 10, 21, 10, 15),
      request: {
        amount: { currency: 'EUR', value: '12.50' },
        description: paymentRequest.description,
        redirectUrl: paymentRequest.returnUrl,
      },
      createdAt: Date.UTC(2026, 10, 21, 10),
      atTerminal: { isCardIn: false, why: null, details: {} },
    }),
    ...changes,
  }
}

export function mollieError(...problem: Parameters<typeof mollieProblem>): Answer {
  return async () => mollieProblem(...problem)
}

export function atMollie(...answers: Answers) {
  return openScripted(mollie, { mode: 'test', credentials: { apiKey: API_KEY } }, answers)
}

/** What the adapter sends for a payment request, as Mollie would read it. */
export async function announced(changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> {
  return JSON.parse(await announcedBody(atMollie(json(201, payment())), changes)) as Record<string, unknown>
}
