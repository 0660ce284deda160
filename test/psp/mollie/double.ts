import { mollie } from '../../../src/psp/mollie/adapter.ts'
import type { PaymentRequest, Fetch } from '../../../src/psp/port.ts'
import { patience } from '../patience.ts'

export const API_KEY = 'test_0123456789abcdef'

/** How Mollie answers one request. */
export type Answer = Fetch

export const json =
  (status: number, body: unknown): Answer =>
  async () =>
    Response.json(body, { status, headers: { 'content-type': 'application/hal+json' } })

/** A payment as Mollie shows it, with the members that the hub reads and some that it does not. */
export const payment = (changes: object = {}): Record<string, unknown> => ({
  resource: 'payment',
  id: 'tr_7UhSN1zuXS',
  mode: 'test',
  status: 'open',
  amount: { currency: 'EUR', value: '12.50' },
  description: 'A-7',
  expiresAt: '2026-11-21T10:15:00+00:00',
  _links: { checkout: { href: 'https://www.mollie.com/checkout/7UhSN1zuXS', type: 'text/html' } },
  ...changes,
})

/** An error as Mollie sends it: https://docs.mollie.com/reference/handling-errors */
export const mollieError = (status: number, title: string, detail: string, field?: string): Answer =>
  json(status, { status, title, detail, ...(field ? { field } : {}), _links: {} })

/** The adapter in front of a Mollie that gives these answers, the last one again and again. Its requests are kept. */
export const atMollie = (...answers: [Answer, ...Answer[]]) => {
  const requests: Request[] = []
  const fetch: Fetch = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
    return answer(request)
  }
  return { psp: mollie.open({ fetch, mode: 'test', credentials: { apiKey: API_KEY } }), requests }
}

export const charge: PaymentRequest = {
  job: '0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
  currency: 'EUR',
  amount: 1250,
  description: 'A-7',
  paymentMethod: 'ideal',
  language: 'nl',
  ipAddress: '203.0.113.7',
  returnUrl: 'https://hub.shop-payments.com/return/0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
  cancelUrl: 'https://hub.shop-payments.com/return/0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f?cancelled=1',
  notificationUrl: 'https://hub.shop-payments.com/notifications/acc_1/0190b1f4-7d5e-4c1a-9b53-0a3f1c2d4e5f',
}

/** What the adapter sends for a charge, as Mollie would read it. */
export const announced = async (changes: Partial<PaymentRequest>): Promise<Record<string, unknown>> => {
  const { psp, requests } = atMollie(json(201, payment()))
  await psp.announce({ ...charge, ...changes }, patience)
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return request.json()
}
