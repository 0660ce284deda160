import type { PaymentRequest, Fetch } from '../../../src/psp/port.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import { patience } from '../patience.ts'

/** Put together here: nothing that looks like a key of Stripe's is to be found in a text of this project. */
export const SECRET_KEY = ['sk', 'test', '51HubDouble0000000000000'].join('_')
export const WEBHOOK_SECRET = ['whsec', 'hubDouble000000000000000'].join('_')

/** How Stripe answers one request. */
export type Answer = Fetch

export const json =
  (status: number, body: unknown, headers = {}): Answer =>
  async () =>
    Response.json(body, { status, headers })

/** A session as Stripe shows it, with the members that the hub reads and some that it does not. */
export const session = (changes: object = {}): Record<string, unknown> => ({
  id: 'cs_test_a1YS1URlnyQCN5fUUduO',
  object: 'checkout.session',
  amount_subtotal: 1250,
  amount_total: 1250,
  client_reference_id: charge.job,
  currency: 'eur',
  expires_at: 1_795_256_100,
  livemode: false,
  mode: 'payment',
  payment_intent: null,
  payment_status: 'unpaid',
  status: 'open',
  url: 'https://checkout.stripe.com/c/pay/cs_test_a1YS1URlnyQCN5fUUduO#fid',
  ...changes,
})

export const intent = (status: string) => ({ id: 'pi_3Mtw', object: 'payment_intent', amount: 1250, status })

/** An error as Stripe sends it: https://docs.stripe.com/api/errors */
export const stripeError = (status: number, message: string, more: object = {}): Answer =>
  json(status, { error: { type: 'invalid_request_error', message, ...more } })

/** The adapter in front of a Stripe that gives these answers, the last one again and again. Its requests are kept. */
export const atStripe = (...answers: [Answer, ...Answer[]]) => {
  const requests: Request[] = []
  const fetch: Fetch = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? answers[0]
    return answer(request)
  }
  const credentials = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET }
  return { psp: stripe.open({ fetch, mode: 'test', credentials }), requests }
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

/** A form is text, whatever workerd warns of in `text()`. */
export const bodyOf = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await request.arrayBuffer())

/** What the adapter sends for a charge, as Stripe would read it. */
export const announced = async (changes: Partial<PaymentRequest>): Promise<Record<string, string>> => {
  const { psp, requests } = atStripe(json(200, session()))
  await psp.announce({ ...charge, ...changes }, patience)
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return Object.fromEntries(new URLSearchParams(await bodyOf(request)))
}
